import SystemCalls

/// Environment variables that the command reads.
enum Environment {
    /// Nil where it is unset, or empty.
    static func text(_ variable: String) throws(Failure) -> String? {
        do throws(Errno) {
            return try CurrentProcess.environment(variable)
        } catch {
            throw Failure(.usage, "\(variable) is not UTF-8")
        }
    }
}
