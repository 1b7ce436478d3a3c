import CSystemCalls

/// Two descriptors, of which one gives what the other takes: pipe2(2).
package struct PipeEnds: ~Copyable, Sendable {
    package let reading: FileDescriptor
    /// Nil once it was closed here, so that the reader sees the end when all others have closed theirs.
    package private(set) var writing: FileDescriptor?

    package init() throws(Errno) {
        var ends: [Int32] = [-1, -1]
        try perform(.pipe2) { unsafe cs_pipe(&ends) }
        reading = FileDescriptor(owning: ends[0])
        writing = FileDescriptor(owning: ends[1])
    }

    /// The writing end for somebody who takes a copy; -1 once it was closed.
    package var writingEnd: Int32 {
        switch writing {
        case .some(let end): end.rawValue
        case .none: -1
        }
    }

    package mutating func closeWriting() {
        writing = nil
    }

    /// read(2): what is there, once there is something; nothing at the end.
    package borrowing func read() throws(Errno) -> [UInt8] {
        try StandardStream.readSome(reading.rawValue, most: 65536)
    }
}
