import Foundation

extension Console {
    /// Calls `body` once nobody can write to standard input any more, so that a program does not outlive the one that
    /// started it, however that one ends.
    public static func atEndOfInput(_ body: @escaping @Sendable () -> Void) {
        // A thread: reading blocks until the end.
        Thread.detachNewThread {
            do {
                _ = try FileHandle.standardInput.readToEnd()
            } catch {
                // Then there is no more to read, either.
            }
            body()
        }
    }
}
