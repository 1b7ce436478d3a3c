import CSystemCalls

/// The two ends of a pipe: pipe2(2).
package struct PipeEnds: ~Copyable, Sendable {
    package let reading: FileDescriptor
    /// Nil once it has been closed here, so that the reader sees the end when all others have closed theirs.
    private var writing: FileDescriptor?

    package init() throws(Errno) {
        var ends: [Int32] = [-1, -1]
        try perform(.pipe2) { unsafe cs_pipe(&ends) }
        reading = FileDescriptor(owning: ends[0])
        writing = FileDescriptor(owning: ends[1])
    }

    /// The writing end, to be duplicated; -1 once it has been closed.
    package var writingEnd: Int32 {
        switch writing {
        case .some(let end): end.rawValue
        case .none: -1
        }
    }

    package mutating func closeWriting() {
        writing = nil
    }

    /// read(2): waits for data, and returns what is there; empty at the end.
    package borrowing func read() throws(Errno) -> [UInt8] {
        try FileDescriptor.readSome(reading.rawValue, most: 65536)
    }
}
