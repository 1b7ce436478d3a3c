import GroupFiles

/// The documented exit codes: 0 and 1, those of sysexits.h, and from 124 on those of timeout(1).
enum ExitCode: Int32 {
    case done = 0
    case conditionFalse = 1
    case usage = 64
    case badContent = 65
    case noSuchValue = 66
    case inputOutput = 74
    case noPermission = 77
    case timeout = 124
    case cannotExecute = 126
    case commandNotFound = 127
}

extension ExitCode {
    init(_ code: GroupFileError.Code) {
        self =
            switch code {
            case .invalidName, .nested: .usage
            case .noContainers: .noSuchValue
            case .undecodable, .unencodable, .tooLarge: .badContent
            case .permissionDenied: .noPermission
            case .timedOut: .timeout
            case .readOnly, .notRegularFile, .noSpace, .system, .notDurable, .forked, .directoryKeepsChanging:
                .inputOutput
            }
    }
}
