import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// Changes during which the directory is exchanged, or cannot be looked at.
@Suite(.endsInTime)
struct TransactionTests {
    /// Two containers, `c` and `d`, with a value `v` each.
    private final class Bench: Sendable {
        let folder: TemporaryDirectory
        private let parent: Directory

        init(_ c: String, _ d: String, on place: TemporaryDirectory.Place = .disk) throws {
            folder = try TemporaryDirectory(on: place)
            parent = try Directory(path: folder.path)
            for (name, text) in [("c", c), ("d", d)] {
                try FileManager.default.createDirectory(
                    atPath: folder.path("\(name)/.groupfile"), withIntermediateDirectories: true)
                try folder.write("", to: "\(name)/.groupfile/v.lock")
                try folder.write(text, to: "\(name)/v")
            }
        }

        func exchangeDirectories() {
            do throws(Errno) { try parent.rename("c", to: "d", in: parent, .exchange) } catch { Issue.record(error) }
        }

        func lock(_ name: String) throws -> FileLock {
            let lock = FileLock(try Directory(path: folder.path("\(name)/.groupfile")).open("v.lock", .readWrite))
            try lock.lock()
            return lock
        }

        /// Waits until a caller waits for the lock: a waiter enlarges the lock's file.
        func awaitWaiter(_ name: String) async throws {
            let path = folder.path("\(name)/.groupfile/v.lock")
            #expect(try await eventually { try Path.status(of: path).size > 512 })
        }

        /// The value of `c`; `decodes` is called with each text that is decoded within a change.
        func open(_ decodes: @escaping @Sendable (String) -> Void) throws -> GroupFile<Int> {
            try GroupFile(
                "v", in: try GroupContainer(directory: folder.path("c")), initialValue: -1,
                codec: .decimal(decoding: { if UpdateScope.current != nil { decodes($0) } }), durability: .relaxed)
        }
    }

    private static func update<T>(
        _ file: GroupFile<T>, isAsynchronous: Bool, _ body: @escaping @Sendable (inout T) throws -> Void
    ) async throws {
        if isAsynchronous {
            try await file.update(body)
        } else {
            try await blocking { try file.update(body) }
        }
    }

    @Test(arguments: [false, true], TemporaryDirectory.Place.allCases)
    func G4_anUpdateIsRepeatedWhereWhatItReadIsGone(
        isAsynchronous: Bool, place: TemporaryDirectory.Place
    ) async throws {
        let bench = try Bench("bad", "5", on: place)
        let isExchanged = Guarded(false)
        let file = try bench.open { text in
            if text == "bad", !isExchanged.withLock({ exchange(&$0, with: true) }) { bench.exchangeDirectories() }
        }
        try await Self.update(file, isAsynchronous: isAsynchronous) { $0 += 1 }
        #expect(isExchanged.withLock { $0 })
        #expect(try ["c/v", "d/v"].map(bench.folder.read) == ["6\n", "bad"])
    }

    /// The error blames the exchanged directory, not the lock file that was removed in the first attempt.
    @Test(arguments: [false, true])
    func whoKeepsExchangingTheDirectoryIsSpokenOf(isAsynchronous: Bool) async throws {
        let bench = try Bench("1", "2")
        let container = try GroupContainer(directory: bench.folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0.0)
        let calls = Guarded(0)
        let error = await #expect(throws: GroupFileError.self) {
            try await Self.update(file, isAsynchronous: isAsynchronous) { value in
                let isFirst = calls.increment() == 1
                if isFirst {
                    value = 3
                    try FileManager.default.removeItem(atPath: bench.folder.path("c/.groupfile"))
                } else {
                    value = .nan  // This value cannot be encoded.
                    bench.exchangeDirectories()
                }
            }
        }
        #expect(error?.code == .directoryKeepsChanging)
        #expect(error?.message.contains("at each of 16 attempts") == true, "\(error?.message ?? "")")
        #expect(calls.withLock { $0 } == 16)
        #expect(try ["c/v", "d/v"].map(bench.folder.read).sorted() == ["1", "2"])
    }

    /// Why there was no directory says more than that there was a different one each time.
    @Test(arguments: [false, true]) func whyThereIsNoLockIsToldInTheEnd(isMissingFirst: Bool) async throws {
        try await blocking {
            let bench = try Bench("1", "2")
            let path = bench.folder.path("c")
            let file = try GroupFile("v", in: try GroupContainer(directory: path), initialValue: 0)
            let isFirst = Guarded(true)
            let error = SystemCallTap.tapping { call, detail in
                guard call == .open, detail == path else { return .none }
                if isFirst.withLock({ exchange(&$0, with: false) }), isMissingFirst { return .fail(.noEntry) }
                bench.exchangeDirectories()
                return .none
            } during: { () -> GroupFileError? in
                do throws(GroupFileError) { try file.write(3) } catch { return error }
                return nil
            }
            if isMissingFirst {
                #expect(error?.errno == Errno.noEntry.rawValue)
            } else {
                #expect(error?.message.contains("at each of 16 attempts") == true, "\(error?.message ?? "")")
            }
            #expect(try ["c/v", "d/v"].map(bench.folder.read).sorted() == ["1", "2"])
        }
    }

    /// What was published stands: there is no sign that its directory was exchanged.
    @Test(arguments: [Errno.accessDenied, .inputOutput], [false, true])
    func G5_aChangeCountsOnceWhereItsDirectoryCannotBeLookedAtAfterwards(fault: Errno, isByPath: Bool) async throws {
        try await blocking {
            let bench = try Bench("1", "2")
            let file =
                isByPath
                ? try GroupFile(path: bench.folder.path("c/v"), initialValue: 0, codec: .json)
                : try GroupFile("v", in: try GroupContainer(directory: bench.folder.path("c")), initialValue: 0)
            for isRemoval in [false, true] {
                let published = Guarded(0)
                try SystemCallTap.tapping { call, detail in
                    if call == .renameat2 || call == .unlinkat && detail == "v" { published.withLock { $0 += 1 } }
                    let isLook = call == .fstatat && detail.hasPrefix(bench.folder.path)
                    return isLook && published.withLock { $0 > 0 } ? .fail(fault) : .none
                } during: { () throws(GroupFileError) in
                    if isRemoval { try file.remove() } else { try file.update { $0 += 1 } }
                }
                #expect(published.withLock { $0 } == 1)
                #expect(file.value == (isRemoval ? 0 : 2))
            }
            #expect(!FileManager.default.fileExists(atPath: bench.folder.path("c/v")))
            #expect(try file.read() == 0)
        }
    }

    /// The write has replaced a file whose directory was then moved away, and has to wait for the lock in the new one.
    /// It is cancelled while it waits, or before.
    @Test(arguments: [false, true]) func aWriteThatIsRepeatedCanBeCancelled(isEarly: Bool) async throws {
        let bench = try Bench("bad", "5")
        let begun = Gate()
        let goOn = DispatchSemaphore(value: 0)
        let file = try bench.open { text in
            guard text == "bad", !begun.isOpen else { return }
            bench.exchangeDirectories()
            begun.open()
            goOn.wait()
        }
        let holder = try bench.lock("d")
        let ended = Log<any Error>()
        let task = Task {
            do { try await file.write(1) } catch { ended.append(error) }
            ended.finish()
        }
        #expect(await begun.opened())
        if isEarly { task.cancel() }
        goOn.signal()
        if !isEarly {
            try await bench.awaitWaiter("c")
            task.cancel()
        }
        #expect(await ended.first(within: .beforeTheHeartbeat) { $0 is CancellationError } != nil)
        holder.unlock()
        await task.value
        #expect(try ["c/v", "d/v"].map(bench.folder.read) == ["5", "1\n"])
    }

    /// The change has acquired a lock, but by then the link leads to another file, whose lock it has to wait for.
    @Test(arguments: [false, true]) func aChangeThatWaitsOnceMoreCanBeCancelled(isRemoval: Bool) async throws {
        let bench = try Bench("1", "2")
        let (link, next) = (bench.folder.path("link"), bench.folder.path("next"))
        #expect(unsafe (symlink("c/v", link), symlink("d/v", next)) == (0, 0))
        let file = try GroupFile(path: link, initialValue: 0, codec: .json)
        let (first, second) = (try bench.lock("c"), try bench.lock("d"))
        let ended = Log<any Error>()
        let task = Task {
            do {
                if isRemoval { try await file.remove() } else { try await file.write(3) }
            } catch {
                ended.append(error)
            }
            ended.finish()
        }
        try await bench.awaitWaiter("c")
        #expect(unsafe rename(next, link) == 0)
        first.unlock()
        try await bench.awaitWaiter("d")
        task.cancel()
        #expect(await ended.first(within: .beforeTheHeartbeat) { $0 is CancellationError } != nil)
        second.unlock()
        await task.value
        #expect(try ["c/v", "d/v"].map(bench.folder.read) == ["1", "2"])
    }

    @Test func aValueIsNotCreatedWhereAFileIsInTheContainersPlace() throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        try FileManager.default.removeItem(atPath: folder.path("c"))
        try folder.write("", to: "c")
        let error = #expect(throws: GroupFileError.self) { try GroupFile("v", in: container, initialValue: 0) }
        #expect(error?.errno == Errno.notDirectory.rawValue)
        #expect(try GroupFile("v", in: container, initialValue: 0, access: .readOnly).value == 0)
    }
}
