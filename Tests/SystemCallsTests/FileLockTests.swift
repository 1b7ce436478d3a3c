import Dispatch
import Glibc
import SystemCalls
import TestSupport
import Testing

struct FileLockTests {
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func excludesAndTellsItsHolder(place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let directory = try Directory(path: folder.path)
        let (first, second) = (try open("lock", in: directory), try open("lock", in: directory))
        #expect(try first.tryLock())
        #expect(try !second.tryLock())
        #expect(try second.isTaken())
        let holder = try #require(second.holder())
        #expect(holder.process == CurrentProcess.identifier)
        #expect(holder.program != nil)
        first.unlock()
        #expect(try !second.isTaken())
        #expect(try second.tryLock())
        second.unlock()
        #expect(first.holder()?.process == nil)
    }

    /// Reading /proc/locks holds up every lock of the machine, so it is read only for a hidden holder, and once a
    /// second.
    @Test func theListOfAllLocksIsReadForTheHiddenAndSeldom() async throws {
        let folder = try TemporaryDirectory()
        let directory = try Directory(path: folder.path)
        let (held, free) = (try open("held", in: directory), try open("free", in: directory))
        #expect(try held.tryLock())
        func look(_ lock: FileLock, hides: Bool = false) -> (holder: Int32?, readings: Int) {
            let readings = Guarded(0)
            let holder = SystemCallTap.tapping { call, detail in
                if call == .open, detail == "/proc/locks" { readings.withLock { $0 += 1 } }
                return hides && call == .open && detail.hasSuffix("/fd") ? .fail(.accessDenied) : .none
            } during: {
                lock.holder()?.process
            }
            return (holder, readings.withLock { $0 })
        }
        for _ in 0..<20 {
            let (holder, readings) = look(held)
            #expect(holder == CurrentProcess.identifier && readings == 0)
        }
        let other = try open("other", in: directory)
        #expect(try other.tryLock())
        // Another test may have read the list just before.
        #expect(await eventually { look(other, hides: true).holder == CurrentProcess.identifier })
        let start = Moment.now
        let readings = (0..<100).map { _ in look(free).readings }.reduce(0, +)
        #expect(.seconds(readings - 1) <= Moment.now - start)
        // The list that was read before is not used for a process that can be examined.
        #expect(look(other).holder == CurrentProcess.identifier)
        other.unlock()
        #expect(look(other).holder == nil)
    }

    /// The process that has the descriptor holds the lock: flock(1), which acquired it, has ended.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func theHolderIsWhoHasItStill(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let lock = try open("lock", in: try Directory(path: folder.path))
        let holder = try Program(
            .command("sh"), ["-c", "exec 9>lock; flock 9; echo held; exec sleep 300"], directory: folder.path)
        try await holder.line("held")
        for _ in 0..<2 { #expect(lock.holder()?.process == holder.processIdentifier) }
        holder.signal(SIGKILL)
        try await holder.exit()
        #expect(lock.holder() == nil)
    }

    private func open(_ name: String, in directory: Directory) throws -> FileLock {
        FileLock(try directory.open(name, [.readWrite, .create], permissions: 0o600))
    }

    /// The kernel's list does not fit into a page, and changes while it is read.
    @Test func theHolderIsFoundAmongManyThatComeAndGo() async throws {
        try await blocking {
            let folder = try TemporaryDirectory(on: .memory)
            let directory = try Directory(path: folder.path)
            let others = try (0..<250).map { try open("other\($0)", in: directory) }
            let held = try open("held", in: directory)
            #expect(try held.tryLock())
            let isOver = Guarded(false)
            let hasEnded = DispatchSemaphore(value: 0)
            try SystemCalls.Thread.spawn(named: "others") {
                while !isOver.withLock({ $0 }) {
                    for other in others {
                        do throws(Errno) { _ = try other.tryLock() } catch { Issue.record(error) }
                    }
                    for other in others { other.unlock() }
                }
                hasEnded.signal()
            }
            let found = (0..<300).filter { _ in held.holder() != nil }.count
            isOver.withLock { $0 = true }
            hasEnded.wait()
            #expect(found == 300)
        }
    }

    @Test func lastsNoLongerThanItsOwner() throws {
        let folder = try TemporaryDirectory()
        let directory = try Directory(path: folder.path)
        for _ in 0..<2 { #expect(try open("lock", in: directory).tryLock()) }
    }
}
