/// Why a program cannot do what it was asked for: one line for people, and an exit code for programs.
public struct Failure: Error, CustomStringConvertible {
    public let description: String
    /// One of sysexits.h, where one of them fits.
    public let exitCode: Int32

    public init(_ description: String, exitCode: Int32) {
        self.description = description
        self.exitCode = exitCode
    }

    /// A command line that makes no sense.
    public static func usage(_ description: String) -> Failure { Failure(description, exitCode: 64) }
}
