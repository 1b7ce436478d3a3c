import CSystemCalls
import Glibc

/// What a program was given to read from and to write to. Never closed here.
package struct StandardStream: Sendable {
    package static let input = StandardStream(descriptor: STDIN_FILENO)
    package static let output = StandardStream(descriptor: STDOUT_FILENO)
    package static let error = StandardStream(descriptor: STDERR_FILENO)

    package let descriptor: Int32

    /// Fills the places of streams that were closed when the program was started; files that are opened later would
    /// take them. Reading and writing then fail, but error messages are discarded. fcntl(2), open(2).
    package static func fillGaps() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            // open(2) takes the lowest one that is free, so this one.
            _ = unsafe Glibc.open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY)
        }
    }

    /// isatty(3).
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// What it is connected to: fstat(2).
    package func kind() throws(Errno) -> FileStatus.Kind {
        try FileStatus.of(descriptor: descriptor).kind
    }

    /// Columns and rows of a terminal; nil if it is none, or does not know them.
    package var windowSize: (columns: Int, rows: Int)? {
        var columns: Int32 = 0
        var rows: Int32 = 0
        guard unsafe cs_window_size(descriptor, &columns, &rows) == 0, columns > 0, rows > 0 else { return nil }
        return (Int(columns), Int(rows))
    }

    /// write(2): as many bytes as fit now, from `start` on. A pipe that is ready takes 4,096 without blocking.
    package func writeSome(_ bytes: [UInt8], from start: Int) throws(Errno) -> Int {
        try FileDescriptor.writeSome(descriptor, bytes, from: start, most: 4096)
    }

    /// write(2), until everything is written, or until the moment: false if that came first, and part of it was not
    /// written. Waits for room before each part, also if the descriptor is non-blocking.
    @discardableResult
    package func writeAll(_ bytes: [UInt8], until moment: Moment? = nil) throws(Errno) -> Bool {
        var start = 0
        while start < bytes.count {
            var entries = [Poll.Entry(descriptor, .writable)]
            guard try Poll.wait(&entries, until: moment) else { return false }
            do throws(Errno) { start += try writeSome(bytes, from: start) } catch .wouldBlock {}
        }
        return true
    }

    /// read(2) to the end, but no more than `limit` + 1 bytes, so that a longer input is noticed.
    package func readToEnd(limit: Int) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            do throws(Errno) {
                let some = try FileDescriptor.readSome(descriptor, most: min(65535, limit - bytes.count) + 1)
                if some.isEmpty { return bytes }
                bytes += some
            } catch .wouldBlock {
                var entries = [Poll.Entry(descriptor, .readable)]
                _ = try Poll.wait(&entries, until: nil)
            }
        }
        return bytes
    }
}
