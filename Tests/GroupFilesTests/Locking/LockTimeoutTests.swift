import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

struct LockTimeoutTests {
    /// Tasks that are cancelled while they wait for the lock end at once, and leave at most one waiting thread behind.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G8_cancelledWaitsLeaveOneHelper(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try await updateAndCancel(in: folder)
        #expect(try await eventually { try folder.openDescriptors == 0 })
    }

    private func updateAndCancel(in folder: TemporaryDirectory) async throws {
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        #expect(try await eventually { try folder.openDescriptors == 0 })
        let directory = try Directory(path: folder.path("c/.groupfile"))
        let holder = FileLock(try directory.open("v.lock", .readWrite))
        try holder.lock()
        let before = try folder.openDescriptors
        for round in 0..<20 {
            let task = Task { try await file.update { $0 += 1 } }
            // The descriptors of the lock, the turn and two directories.
            if round == 0 { #expect(try await eventually { try folder.openDescriptors == before + 4 }) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await eventually { try folder.openDescriptors <= before + 4 })
        }
        let waiting = Task { try await file.update { $0 += 1 } }
        holder.unlock()
        try await waiting.value
        #expect(try await file.read() == 1)
        withExtendedLifetime((holder, directory)) {}
    }

    @Test(arguments: TemporaryDirectory.Place.allCases)
    func defaultsWaitNoLongerThanTheirTimeout(place: TemporaryDirectory.Place) async throws {
        try await blocking {
            let folder = try TemporaryDirectory(on: place)
            let container = try GroupContainer(directory: folder.path("c"))
            let defaults = GroupDefaults(container: container, lockTimeout: .milliseconds(5))
            try defaults.set(0, forKey: "k")
            try defaults.removeObject(forKey: "k")
            let holder = FileLock(try Directory(path: folder.path("c/.groupfile")).open("k.lock", .readWrite))
            try holder.lock()
            for change in [
                { try defaults.set(1, forKey: "k") }, { try defaults.removeObject(forKey: "k") },
                { try defaults.adopt(["k": 1]) },
            ] {
                #expect { try change() } throws: { ($0 as? GroupFileError)?.code == .timedOut }
            }
            holder.unlock()
            #expect(try container.currentNames() == [])
        }
    }

    /// The message does not advise the caller to end its own process.
    @Test func theErrorTellsWhereThisProcessHoldsTheLock() async throws {
        try await blocking {
            let folder = try TemporaryDirectory()
            let container = try GroupContainer(directory: folder.path("c"))
            let file = try GroupFile("v", in: container, initialValue: 0, lockTimeout: .milliseconds(5))
            let holder = FileLock(try Directory(path: folder.path("c/.groupfile")).open("v.lock", .readWrite))
            try holder.lock()
            let error = #expect(throws: GroupFileError.self) { try file.write(1) }
            let message = try #require(error).message
            #expect(
                message.contains("process \(getpid()) (")
                    && message.contains("), which is this process, holds it; wait for its other thread"))
            #expect(!message.contains("end it"))
            holder.unlock()
        }
    }

    @Test func theErrorTellsThatWhoHoldsTheLockIsStopped() async throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0, lockTimeout: .milliseconds(20))
        let lock = folder.path("c/.groupfile/v.lock")
        let other = try Program(.command("sh"), ["-c", "exec 9<> $0; flock 9; echo it is; exec sleep 1000", lock])
        try await other.line("it is")
        other.signal(SIGSTOP)
        let isTold = await eventually {
            let error = await #expect(throws: GroupFileError.self) { try await file.write(1) }
            return error?.message.contains(", which is stopped, holds it; continue it with kill -CONT ") == true
        }
        #expect(isTold)
        other.signal(SIGKILL)
        _ = try await other.exit()
    }

    /// A stopped process that has the turn holds no lock, yet at first every later caller waits for it. A process with
    /// the turn that is not stopped is not to blame: it waits, too, perhaps for a holder that cannot be seen.
    @Test(arguments: [true, false])
    func theErrorNamesWhoseTurnItIs(isStopped: Bool) async throws {
        let folder = try TemporaryDirectory()
        let wanted = isStopped ? "which is stopped, is next in line; " : "another program holds it"
        var message = ""
        // On a busy machine the time may run out before the write waits for the turn.
        for round in 0..<20 where !message.contains(wanted) {
            message = try await messageInAnothersTurn(folder, "v\(round)", isStopped: isStopped)
        }
        #expect(message.contains(wanted), "\(message)")
        if isStopped {
            #expect(message.contains(", which is stopped, is next in line; continue it with kill -CONT "), "\(message)")
        }
        #expect(isStopped != message.contains("holds it"), "\(message)")
    }

    private func messageInAnothersTurn(
        _ folder: TemporaryDirectory, _ name: String, isStopped: Bool
    ) async throws -> String {
        let container = try GroupContainer(directory: folder.path("c"))
        // The timeout is nearly as long as a caller waits for the turn.
        let file = try GroupFile(name, in: container, initialValue: 0, lockTimeout: .seconds(2))
        let directory = try Directory(path: folder.path("c/.groupfile"))
        let holder = FileLock(try directory.open("\(name).lock", .readWrite))
        try holder.lock()
        // `exec` leaves no shell in between: killing the program frees the lock.
        let turn = folder.path("c/.groupfile/\(name).turn")
        let other = try Program(.command("sh"), ["-c", "exec 9<> $0; flock 9; echo its turn; exec sleep 1000", turn])
        try await other.line("its turn")
        if isStopped { other.signal(SIGSTOP) }
        let change = Task { try await file.write(1) }
        let inode = try directory.status(of: "\(name).turn").identity.inode
        _ = try await eventually(within: .seconds(2)) { try ProcessTable.waiters(for: inode) == 1 }
        holder.unlock()
        var message = ""
        do {
            try await change.value
        } catch let error as GroupFileError {
            message = error.message
        }
        other.signal(SIGKILL)
        _ = try await other.exit()
        let patient = try GroupFile(name, in: container, initialValue: 0)
        try await patient.write(2)
        return message
    }

    /// An attempt that timed out leaves a helper waiting for a lock file that may no longer be the value's lock.
    @Test func G5_aLockWhoseFileIsGoneIsNotWaitedFor() async throws {
        try await blocking {
            let folder = try TemporaryDirectory()
            let container = try GroupContainer(directory: folder.path("c"))
            let file = try GroupFile("v", in: container, initialValue: 0, lockTimeout: .milliseconds(50))
            let directory = try Directory(path: folder.path("c/.groupfile"))
            let holder = FileLock(try directory.open("v.lock", .readWrite))
            try holder.lock()
            _ = #expect(throws: GroupFileError.self) { try file.write(1) }
            try FileManager.default.moveItem(atPath: folder.path("c/.groupfile"), toPath: folder.path("moved"))
            try file.write(2)
            try file.write(3)
            #expect(try folder.read("c/v") == "3\n")
            holder.unlock()
        }
    }

    /// A caller that tries again and again, while another holds the lock for ever, accumulates neither threads nor
    /// descriptors.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G8_attemptsThatRanOutOfTimeLeaveOneHelper(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try await blocking {
            let container = try GroupContainer(directory: folder.path("c"))
            let file = try GroupFile("v", in: container, initialValue: 0, lockTimeout: .milliseconds(5))
            let patient = try GroupFile("v", in: container, initialValue: 0, lockTimeout: .seconds(60))
            let directory = try Directory(path: folder.path("c/.groupfile"))
            let holder = FileLock(try directory.open("v.lock", .readWrite))
            try holder.lock()
            func attempt() -> GroupFileError.Code? {
                do throws(GroupFileError) { try file.write(1) } catch { return error.code }
                return nil
            }
            #expect(attempt() == .timedOut)
            let after = try folder.openDescriptors
            for _ in 0..<20 { #expect(attempt() == .timedOut) }
            #expect(try folder.openDescriptors <= after)
            holder.unlock()
            // Through the helper that has been waiting all the time, or through what it left.
            try patient.write(2)
            #expect(try file.read() == 2)
            // And through an object that never had a helper.
            let another = try GroupFile("v", in: container, initialValue: 0)
            try another.write(3)
            #expect(
                try patient.update { value in
                    value += 1
                    return value
                } == 4)
        }
        #expect(try await eventually { try folder.openDescriptors == 0 })
    }

    /// Nor does a caller that opens the value anew for each attempt, as a server may for each request.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G8_attemptsOfObjectsThatComeAndGoLeaveOneHelper(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try await blocking {
            func attempt() throws {
                let container = try GroupContainer(directory: folder.path("c"))
                let file = try GroupFile("v", in: container, initialValue: 0, lockTimeout: .milliseconds(5))
                _ = #expect(throws: GroupFileError.self) { try file.update { $0 += 1 } }
            }
            try GroupFile("v", in: GroupContainer(directory: folder.path("c")), initialValue: 0).write(2)
            let directory = try Directory(path: folder.path("c/.groupfile"))
            let holder = FileLock(try directory.open("v.lock", .readWrite))
            try holder.lock()
            try attempt()
            let after = try folder.openDescriptors
            for _ in 0..<20 { try attempt() }
            #expect(try folder.openDescriptors <= after)
            holder.unlock()
            try GroupFile("v", in: GroupContainer(directory: folder.path("c")), initialValue: 0).write(3)
        }
        #expect(try await eventually { try folder.openDescriptors == 0 })
        #expect(try folder.read("c/v") == "3\n")
    }
}
