import SystemCalls
package import Testing

/// Programs that tests need and not every machine has. If one is missing, what is left out for it is printed; if
/// `REQUIRE_TOOLS` is set, nothing is left out, and the tests that need it fail.
package enum Tools {
    /// Whether a program is there, or has to be.
    package static func has(_ program: String) -> Bool {
        if SearchPath.place(of: Array(program.utf8)) != nil { return true }
        if CurrentProcess.environmentBytes("REQUIRE_TOOLS") != nil { return true }
        print("LEFT OUT, because \(program) is not installed")
        return false
    }
}

extension Trait where Self == ConditionTrait {
    /// Leaves the test out if one of these programs is missing.
    package static func needs(_ programs: String...) -> Self {
        .enabled(if: programs.allSatisfy(Tools.has), "\(programs.joined(separator: " or ")) is not installed")
    }
}
