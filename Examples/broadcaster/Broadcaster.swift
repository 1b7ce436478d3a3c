import BroadcastPreferences
import ExampleSupport
import Foundation
import GroupFiles

/// The extension's side: tells the app when a broadcast starts, goes on and ends.
///
/// ReplayKit calls such methods of an `RPBroadcastSampleHandler`; here a loop and signals do.
actor Broadcaster {
    private let preferences: BroadcastPreferences
    private var broadcast: Broadcast
    private(set) var hasStarted = false

    init(title: String) throws(GroupFileError) {
        preferences = try BroadcastPreferences()
        broadcast = Broadcast(title: title, startedAt: .now)
    }

    /// Goes on air, unless another one is.
    func start() async throws {
        try await goOnAir()
        hasStarted = true
    }

    /// Frames went out; the app is told how many, and that somebody is still alive here.
    func sent(frames: Int, bitrate: Int) async throws {
        try await stayOnAir()
        broadcast.framesSent += frames
        broadcast.bitrate = bitrate
        broadcast.heartbeat = .now
        try await preferences.broadcast.write(broadcast)
    }

    /// Leaves the air; `failure` says why, where that was not intended.
    func finish(failure: String?) async throws {
        try await stayOnAir()
        broadcast.heartbeat = .now
        broadcast.endedAt = .now
        broadcast.failure = failure
        do {
            try await preferences.broadcast.write(broadcast)
        } catch {
            // The flag comes down in any case: it matters more than how things ended.
            try await preferences.isBroadcasting.write(false)
            throw error
        }
        try await preferences.isBroadcasting.write(false)
    }

    /// Another one may have taken over, where this one stood still for so long that it was given up; and anybody may have
    /// removed the flag, or taken it down.
    private func stayOnAir() async throws {
        let isOnAir = preferences.isBroadcasting.value && preferences.broadcast.value?.id == broadcast.id
        if !isOnAir || !broadcast.isAlive(at: .now) { try await goOnAir() }
    }

    /// Where the flag is still true but nobody is behind it, takes over from a broadcaster that was killed.
    private func goOnAir() async throws {
        do {
            // Under the flag's lock: of two that start at once, one is on air and the other is told.
            broadcast = try await preferences.isBroadcasting.update { isBroadcasting in
                try await refuseAnother()
                var broadcast = broadcast
                // From here on, however long it had to wait for the lock.
                broadcast.heartbeat = .now
                if !hasStarted { broadcast.startedAt = .now }
                // First what it is, then that it is: who sees the flag finds the broadcast there.
                try await preferences.broadcast.write(broadcast)
                isBroadcasting = true
                return broadcast
            }
        } catch let error as GroupFileError where error.code == .undecodable {
            // It is neither up nor down, and nobody can tell of whom: what was there is kept.
            try await preferences.isBroadcasting.write(false)
            try await goOnAir()
        }
    }

    private func refuseAnother() async throws {
        let other: Broadcast?
        do {
            other = try await preferences.broadcast.read()
        } catch let error as GroupFileError where error.code == .undecodable {
            return  // Nobody is behind that: who was writes it again ten times a second.
        }
        if let other, other.id != broadcast.id, other.isAlive(at: .now) {
            throw Failure(
                "\"\(other.title)\" is on air already; stop it first, or try again in 2 s if it was killed", exitCode: 1
            )
        }
    }
}
