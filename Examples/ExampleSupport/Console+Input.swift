import Foundation

extension Console {
    /// Calls `body` once nobody can write to standard input any more, so that a program does not outlive the one that
    /// started it, however that one ends.
    public static func atEndOfInput(_ body: @escaping @Sendable () -> Void) {
        // A thread: reading blocks until the end.
        Thread.detachNewThread {
            do {
                // Piece by piece: whatever comes is thrown away, and may be any amount.
                while let data = try FileHandle.standardInput.read(upToCount: 1 << 16), !data.isEmpty {}
            } catch {
                // Then there is no more to read, either.
            }
            body()
        }
    }
}
