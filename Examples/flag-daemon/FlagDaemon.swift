import ExampleSupport
import GroupFiles

/// Puts the flags of a file into effect while it runs, and reports what it does in a status.
///
/// 1. At its *start* it enters its process in the status; if another daemon is still running, it refuses.
/// 2. Each change of the flags is *applied*; an edit that is not valid flags is *rejected*, and the last good ones
///    stay.
/// 3. Each of these is *published* in the status as soon as possible, and again if somebody else removes the status or
///    changes the process in it. But if that process is another daemon, this one ends.
/// 4. When it *stops*, the status says so. Only the operator ever changes the flags.
actor FlagDaemon {
    static let group = "group.example.flag-daemon"

    private let flags: GroupFile<[String: Bool]>
    private let file: GroupFile<DaemonStatus>
    private let console: Console
    private var status = DaemonStatus()
    /// One element for everything that has changed since the status was published.
    private let changes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(group: String, console: Console) throws(GroupFileError) {
        let container = try GroupContainer(identifier: group)
        flags = try GroupFile("flags", in: container, initialValue: [:], access: .readOnly)
        // Counters are worthless after a power cut: not worth an fsync each.
        file = try GroupFile(
            "status", in: container, initialValue: DaemonStatus(), codec: DaemonStatus.codec, durability: .relaxed,
            // A process that holds its lock delays the daemon's start and end for this long at most.
            lockTimeout: .seconds(2))
        self.console = console
    }

    func start() async throws {
        do {
            // Under the lock: of two that start at once, one gets an error.
            status = try await file.update { status in
                try status.refuseAnother()
                status.begin()
                return status
            }
        } catch let error as GroupFileError where error.code == .undecodable {
            console.report("counting begins anew, and what was there is kept: \(error)")
            status.begin()
            try await file.write(status)
        }
        console.say(status.flags.isEmpty ? "running" : "running with \(Self.text(status.flags))")
    }

    /// Runs until the task is cancelled; throws if another daemon is running.
    func run() async throws {
        try await withThrowingDiscardingTaskGroup { tasks in
            tasks.addTask { await self.followFlags() }
            tasks.addTask { await self.followBadEdits() }
            tasks.addTask { await self.followStatus() }
            try await keepPublishing()
        }
    }

    func stop() async throws {
        status.end()
        try await publish()
        console.say("stopped")
    }

    private func followFlags() async {
        var isWaiting = false
        for await state in flags.states {
            let waits = state.health == .waitingForDirectory
            if waits, !isWaiting { console.say("the container is gone; waiting for another one") }
            isWaiting = waits
            // Without valid flags the last good ones stay, even those of the process before this one.
            if case .invalid = state.status { continue }
            apply(state.value)
        }
    }

    private func apply(_ flags: [String: Bool]) {
        let old = status.flags
        if flags == old { return }
        status.flags = flags
        status.applied &+= 1
        changes.continuation.yield()
        for name in Set(flags.keys).union(old.keys).sorted() where flags[name] != old[name] {
            console.say("\(name): " + (flags[name].map(Self.text) ?? "gone"))
        }
    }

    private func followBadEdits() async {
        for await failure in flags.failures {
            console.report("the flags stay as they are: \(failure)")
            status.rejected &+= 1
            changes.continuation.yield()
        }
    }

    /// If somebody removes the status, writes another one, or removes the whole container, the status is published
    /// again as soon as there is a place for it.
    private func followStatus() async {
        for await state in file.states where state.status != .current || state.value.process != .current {
            changes.continuation.yield()
        }
    }

    private func keepPublishing() async throws {
        var problem: String?
        for await _ in changes.stream {
            do {
                try await publish()
                problem = nil
            } catch let error as GroupFileError {
                // For example, somebody holds the status's lock, and there may be no notification when that is over.
                if error.description != problem { console.report("\(error)") }
                problem = error.description
                try await Task.sleep(for: .seconds(2))
                changes.continuation.yield()
            }
        }
    }

    private func publish() async throws {
        // The container is the operator's, too: if it was removed, it is not created again from here. Only a removal in
        // the very moment between this look and the write is undone by that.
        if file.health == .waitingForDirectory { return }
        do {
            try await file.update { found in
                try found.refuseAnother()
                // The status as it is now that the lock is held.
                found = status
            }
        } catch let error as GroupFileError where error.code == .undecodable {
            // Somebody else wrote it; what was there is kept.
            try await file.write(status)
        }
    }

    private static func text(_ isOn: Bool) -> String { isOn ? "on" : "off" }

    private static func text(_ flags: [String: Bool]) -> String {
        flags.sorted { $0.key < $1.key }.map { "\($0.key) \(text($0.value))" }.joined(separator: ", ")
    }
}
