import ExampleSupport
import Foundation
import GroupFiles

/// Puts flags into effect as their file says, while it runs, and keeps a status that tells of it.
///
/// 1. At its *start* the status says who runs; where the one before still does, it refuses.
/// 2. Each change of the flags is *applied*; an edit that holds no flags is *rejected*, the last good ones stay.
/// 3. Each change of that is *published* in the status; again where the status is gone, but its container is there.
/// 4. When it *stops* the status says so. Flags are only ever changed by their operator.
actor FlagDaemon {
    static let group = "group.example.flag-daemon"

    private let flags: GroupFile<[String: Bool]>
    private let file: GroupFile<DaemonStatus>
    private let console: Console
    private var status = DaemonStatus()

    init(group: String, console: Console) throws(GroupFileError) {
        let container = try GroupContainer(identifier: group)
        flags = try GroupFile("flags", in: container, initialValue: [:])
        // Counters are worthless after a power cut: not worth an fsync each.
        file = try GroupFile(
            "status", in: container, initialValue: DaemonStatus(), codec: DaemonStatus.codec, durability: .relaxed,
            // Whoever holds its lock holds up the daemon for so long, and no longer.
            lockTimeout: .seconds(2))
        self.console = console
    }

    func start() async throws {
        do {
            // Under the lock: of two that start at once, one is told.
            status = try await file.update { status in
                if let other = status.process, other.isAlive {
                    throw Failure("it runs already, as process \(other.pid)", exitCode: 75)
                }
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

    func followFlags() async {
        var isWaiting = false
        for await state in flags.states {
            let waits = state.health == .waitingForDirectory
            if waits, !isWaiting { console.say("the container is gone; waiting for another one") }
            isWaiting = waits
            // Where they are no flags the last good ones stay: also those of the process before this one.
            if case .invalid = state.status { continue }
            await apply(state.value)
        }
    }

    func followBadEdits() async {
        for await failure in flags.failures {
            console.report("the flags stay as they are: \(failure)")
            status.rejected &+= 1
            await publish()
        }
    }

    /// Whoever removes the status, or the whole container, gets it back as soon as there is a place for it.
    func keepStatus() async {
        for await _ in file.states where file.status == .missing { await publish() }
    }

    func stop() async throws {
        status.end()
        if hasPlace { try await file.write(status) }
        console.say("stopped")
    }

    private func apply(_ flags: [String: Bool]) async {
        let old = status.flags
        if flags == old { return }
        status.flags = flags
        status.applied &+= 1
        await publish()
        // Once it is so: who reads the log may rely on it.
        for name in Set(flags.keys).union(old.keys).sorted() where flags[name] != old[name] {
            console.say("\(name): " + (flags[name].map(Self.text) ?? "gone"))
        }
    }

    private func publish() async {
        guard hasPlace else { return }
        do {
            do {
                // As it is once the lock is held: of two that wait for it the older one may be the last to get it.
                try await file.update { $0 = status }
            } catch let error as GroupFileError where error.code == .undecodable {
                // Somebody else's; what was there is kept.
                try await file.write(status)
            }
        } catch is CancellationError {
            // It stops, which is published next.
        } catch {
            console.report("\(error)")
        }
    }

    private static func text(_ isOn: Bool) -> String { isOn ? "on" : "off" }

    private static func text(_ flags: [String: Bool]) -> String {
        flags.sorted { $0.key < $1.key }.map { "\($0.key) \(text($0.value))" }.joined(separator: ", ")
    }

    /// The container is the operator's, too: where it was removed, it is not made again from here.
    private var hasPlace: Bool { file.health != .waitingForDirectory }
}
