import FoundationEssentials
import SystemCalls

/// The command's `get`, from before exec to after exit.
enum CommandRows {
    static func all(_ kind: String) -> [Measurement] {
        [
            Measurement(Row("watch-value get, \(kind)", "ms", target: "≤ 4.5 if static release")) { workshop in
                let folder = try workshop.folder(.disk)
                let path = try folder.value("value.json")
                let floor = try compile(workshop, in: folder)
                func block(_ command: [String]) throws -> Double {
                    try (0..<workshop.effort.runs).map { _ in
                        let child = try Child(command, name: command[0], workshop.interrupts)
                        return Double((try child.waitForSuccess() - child.start) / .nanoseconds(1)) / 1e6
                    }.median
                }
                return [
                    try Figures.paired(
                        workshop.effort.pairs, floor: { try block([floor, path]) },
                        ours: { try block([workshop.watchValue, "get", path]) })
                ]
            }
        ]
    }

    /// The floor's program, compiled by the C compiler of this machine, or by the one that Swift brings.
    private static func compile(_ workshop: Workshop, in folder: Folder) throws -> String {
        let sources = #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 } + "/CFloor"
        let program = folder.path + "/get"
        guard FileManager.default.fileExists(atPath: sources + "/get.c") else {
            throw Unavailable(reason: "its floor's source is not there any more: \(sources)/get.c")
        }
        for compiler in ["cc", "clang", "gcc"] {
            let command = [
                compiler, "-O2", "-I\(sources)/include", "-o", program, "\(sources)/get.c", "\(sources)/CFloor.c",
                "\(sources)/Guarded.c",
            ]
            let child: Child
            do {
                child = try Child(command, name: compiler, workshop.interrupts)
            } catch is Failure {
                continue
            }
            try child.waitForSuccess()
            return program
        }
        throw Unavailable(reason: "there is no C compiler along PATH for its floor: cc, clang or gcc")
    }
}
