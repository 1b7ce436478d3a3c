import SystemCalls

/// What a program prints, split into lines as it comes.
///
/// A thread reads: libdispatch crashes where its file sources come and go, and Foundation's `Process` where there are many.
final class OutputPipe: Sendable {
    /// Guards the writing end, which is closed here once the program has it.
    private let ends: Guarded<PipeEnds>
    private let readingEnd: Int32
    let writingEnd: Int32

    init() throws(Errno) {
        let ends = try PipeEnds()
        readingEnd = ends.reading.rawValue
        writingEnd = ends.writingEnd
        self.ends = Guarded(ends)
    }

    /// Begins to read, once the program was started. What is printed last counts as a line without a newline, too.
    func lines() throws(Errno) -> Log<String> {
        ends.withLock { $0.closeWriting() }
        let log = Log<String>()
        try Thread.spawn(named: "program-output") { [self] in
            var rest: [UInt8] = []
            while true {
                let bytes: [UInt8]
                do throws(Errno) {
                    bytes = try FileDescriptor.readSome(readingEnd, most: 65536)
                } catch {
                    break
                }
                if bytes.isEmpty { break }
                rest += bytes
                // A line, or a character, may come in two pieces: what has no newline yet waits for the rest.
                var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = Array(parts.removeLast())
                for part in parts { log.append(String(decoding: part, as: UTF8.self)) }
            }
            if !rest.isEmpty { log.append(String(decoding: rest, as: UTF8.self)) }
            log.finish()
        }
        return log
    }
}
