package import SystemCalls

/// What a program prints, as it comes.
///
/// A thread reads: libdispatch crashes if many of its file sources come and go, as does Foundation's `Process`.
package final class OutputPipe: Sendable {
    /// The lock guards the writing end, which is closed here once the program has it.
    private let ends: Guarded<PipeEnds>
    private let readingEnd: Int32
    package let writingEnd: Int32

    package init() throws(Errno) {
        let ends = try PipeEnds()
        readingEnd = ends.reading.rawValue
        writingEnd = ends.writingEnd
        self.ends = Guarded(ends)
    }

    /// Begins to read, in pieces of any length. Call it when the program has been started.
    package func pieces() throws(Errno) -> Log<[UInt8]> {
        try log { [self] log in
            while let piece = read() { log.append(piece) }
        }
    }

    /// The same, split into lines. The last line need not end with a newline.
    package func lines() throws(Errno) -> Log<String> {
        try log { [self] log in
            var rest: [UInt8] = []
            while let piece = read() {
                rest += piece
                // A line, or a character, may come in two pieces: what has no newline yet waits for the rest.
                var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = Array(parts.removeLast())
                for part in parts { log.append(String(decoding: part, as: UTF8.self)) }
            }
            if !rest.isEmpty { log.append(String(decoding: rest, as: UTF8.self)) }
        }
    }

    private func log<Element: Sendable>(
        _ readAll: @escaping @Sendable (Log<Element>) -> Void
    ) throws(Errno) -> Log<Element> {
        ends.withLock { $0.closeWriting() }
        let log = Log<Element>()
        try Thread.spawn(named: "program-output") {
            readAll(log)
            log.finish()
        }
        return log
    }

    /// Waits for more; nil at the end.
    private func read() -> [UInt8]? {
        do throws(Errno) {
            let piece = try FileDescriptor.readSome(readingEnd, most: 65536)
            return piece.isEmpty ? nil : piece
        } catch {
            return nil
        }
    }
}
