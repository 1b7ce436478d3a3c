import Foundation

/// Programs, and rights, that tests need and not every machine has. What is left out for want of one is said aloud; with
/// `REQUIRE_TOOLS` in the environment nothing is: the tests fail that miss it.
package enum Tools {
    private static let areRequired = ProcessInfo.processInfo.environment["REQUIRE_TOOLS"] != nil

    /// Whether a program is there, or has to be.
    package static func has(_ program: String) -> Bool {
        let found = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
        return found || !mayLeaveOut("because \(program) is not installed")
    }

    /// Whether a test may go without something; says so.
    private static func mayLeaveOut(_ reason: String) -> Bool {
        if areRequired { return false }
        print("LEFT OUT, \(reason)")
        return true
    }
}
