import Glibc
import TestSupport
import Testing

@testable import SystemCalls

struct DescriptorTests {
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func readsBackWhatItWrote(place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let directory = try Directory(path: folder.path)
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        do {
            let file = try directory.open("f", [.writeOnly, .create], permissions: 0o600)
            try file.writeAll(bytes)
        }
        let file = try directory.open("f", .readOnly)
        #expect(try file.status().size == bytes.count)
        #expect(try file.readToEnd(expected: bytes.count, limit: 1 << 20) == bytes)
    }

    @Test func aWrongExpectationOfTheSizeChangesNothing() throws {
        let folder = try TemporaryDirectory()
        try folder.write("0123456789", to: "f")
        let directory = try Directory(path: folder.path)
        for expected in [0, 1, 9, 10, 11, 1000] {
            let file = try directory.open("f", .readOnly)
            #expect(try file.readToEnd(expected: expected, limit: 100).count == 10)
        }
    }

    @Test func readsOneByteMoreThanTheLimitAndNoMore() throws {
        let folder = try TemporaryDirectory()
        try folder.write("0123456789", to: "f")
        let directory = try Directory(path: folder.path)
        for (limit, count) in [(9, 10), (10, 10), (3, 4), (0, 1), (-1, 0), (.max - 1, 10), (.max, 10)] {
            let file = try directory.open("f", .readOnly)
            #expect(try file.readToEnd(expected: 10, limit: limit).count == count)
        }
    }

    /// Such a file has a size of 0, and gives everything to the first read or nothing.
    @Test func aFileOfProcIsReadWhole() throws {
        let file = try FileDescriptor.open("/proc/sys/kernel/pid_max", .readOnly)
        let text = String(decoding: try file.readToEnd(expected: 0, limit: 1 << 20), as: UTF8.self)
        // The limit is nowhere smaller.
        #expect(try #require(Int(text.dropLast())) >= 301)
    }

    @Test(arguments: 1...12)
    func shortCountsLoseNothing(_ most: Int) throws {
        let folder = try TemporaryDirectory()
        let directory = try Directory(path: folder.path)
        let bytes = Array("a somewhat longer text".utf8)
        try SystemCallTap.tapping({ call, _ in call == .write || call == .pread ? .short(most) : .none }) {
            () throws(Errno) in
            do {
                let file = try directory.open("f", [.writeOnly, .create], permissions: 0o600)
                try file.writeAll(bytes)
            }
            let file = try directory.open("f", .readOnly)
            #expect(try file.readToEnd(expected: bytes.count, limit: 1000) == bytes)
            #expect(try directory.open("f", .readOnly).readToEnd(expected: 0, limit: 1000) == bytes)
        }
    }

    @Test func interruptedCallsAreMadeAgain() throws {
        let folder = try TemporaryDirectory()
        let directory = try Directory(path: folder.path)
        let count = Guarded(0)
        try SystemCallTap.tapping({ _, _ in
            count.increment() % 2 == 1 ? .fail(.interrupted) : .none
        }) { () throws(Errno) in
            let file = try directory.open("f", [.writeOnly, .create], permissions: 0o600)
            try file.writeAll([1, 2, 3])
            try file.sync()
            #expect(try file.status().size == 3)
        }
    }

    /// Each kind of descriptor: /proc shows the flag that fcntl would return.
    @Test func everyDescriptorIsClosedOnExec() throws {
        let folder = try TemporaryDirectory()
        let directory = try Directory(path: folder.path)
        let file = try directory.open("f", [.readWrite, .create], permissions: 0o600)
        #expect(try isClosedOnExec(directory.descriptor.rawValue))
        #expect(try isClosedOnExec(file.rawValue))
        let inotify = try Inotify()
        let timer = try Timer()
        var kinds: Set<String> = []
        for name in try Directory(path: "/proc/self/fd").names() {
            guard let number = Int32(name) else { continue }
            let target: String
            let isClosed: Bool
            do throws(Errno) {
                target = try Path.linkTarget(of: "/proc/self/fd/\(name)")
                guard let kind = ["inotify", "timerfd"].first(where: target.contains) else { continue }
                isClosed = try isClosedOnExec(number)
                kinds.insert(kind)
            } catch {
                continue  // Other tests open and close theirs at the same time.
            }
            #expect(isClosed, "\(target)")
        }
        #expect(kinds == ["inotify", "timerfd"])
        _ = timer.set(.now)
        try timer.wait()
        try inotify.remove(try inotify.add(folder.path, mask: .create))
    }

    /// G15: a timer that the program has closed neither closes the one that got its number, nor takes its ringing.
    @Test func whatGotTheNumberOfAClosedOneStaysOpen() throws {
        func release(_ timer: consuming Timer) {}
        // Other tests open descriptors at the same time, and may get the number.
        for _ in 0..<1_000 {
            let first = try Timer()
            close(first.rawValue)
            let second = try Timer()
            guard second.rawValue == first.rawValue else {
                release(first)
                continue
            }
            _ = second.set(.now)
            var refusal: Errno?
            do throws(Errno) { try first.wait() } catch { refusal = error }
            #expect(refusal == .badDescriptor)
            if refusal != nil { try second.wait() }
            release(first)
            let isOpen = second.set(.now)
            #expect(isOpen)
            return
        }
        Issue.record("no timer got the number of the one before")
    }

    private func isClosedOnExec(_ descriptor: Int32) throws(Errno) -> Bool {
        let info = try ProcessTable.text("/proc/self/fdinfo/\(descriptor)")
        let flags = info.split(separator: "\n").first { $0.hasPrefix("flags:") }
        let bits = flags?.split(separator: "\t").last.flatMap { Int($0, radix: 8) } ?? 0
        return bits & 0o2000000 != 0
    }
}
