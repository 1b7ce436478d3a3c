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

    /// Reports that frames went out, and how many, which also shows the app that the broadcaster is alive.
    func sent(frames: Int, bitrate: Int) async throws {
        try await stayOnAir()
        broadcast.framesSent += frames
        broadcast.bitrate = bitrate
        broadcast.heartbeat = .now
        try await preferences.broadcast.write(broadcast)
    }

    /// Goes off air; `failure` says why, if that was not intended.
    func finish(failure: String?) async throws {
        try await stayOnAir()
        broadcast.heartbeat = .now
        broadcast.endedAt = .now
        broadcast.failure = failure
        do {
            try await preferences.broadcast.write(broadcast)
        } catch {
            // The flag comes down in any case: it matters more than how the broadcast ended.
            try await preferences.isBroadcasting.write(false)
            throw error
        }
        try await preferences.isBroadcasting.write(false)
    }

    /// Goes on air again if necessary. Another broadcaster may have taken over if this one stood still for so long that
    /// it was given up. And any program may have removed the flag, taken it down, or replaced it by something that is
    /// not a flag: then its last good value still counts here, but not for an app that is started now.
    private func stayOnAir() async throws {
        var isOnAir = preferences.isBroadcasting.value && preferences.broadcast.value?.id == broadcast.id
        if case .invalid(let error) = preferences.isBroadcasting.status, error.code == .undecodable { isOnAir = false }
        if !isOnAir || !broadcast.isAlive(at: .now) { try await goOnAir() }
    }

    /// Takes over from a broadcaster that was killed, if the flag is still true but nobody is behind it.
    private func goOnAir() async throws {
        do {
            // Under the flag's lock: of two that start at once, one goes on air and the other gets an error.
            broadcast = try await preferences.isBroadcasting.update { isBroadcasting in
                try await refuseAnother()
                var broadcast = broadcast
                // The broadcast starts now, however long it had to wait for the lock.
                broadcast.heartbeat = .now
                if !hasStarted { broadcast.startedAt = .now }
                // First the broadcast, then the flag: a reader that sees the flag finds the broadcast.
                try await preferences.broadcast.write(broadcast)
                isBroadcasting = true
                return broadcast
            }
        } catch let error as GroupFileError where error.code == .undecodable {
            // The flag is neither up nor down, and nobody can tell whose it is. The content that was there is kept.
            try await preferences.isBroadcasting.write(false)
            try await goOnAir()
        }
    }

    private func refuseAnother() async throws {
        let other: Broadcast?
        do {
            other = try await preferences.broadcast.read()
        } catch let error as GroupFileError where error.code == .undecodable {
            return  // No live broadcaster wrote that: one would write it again ten times a second.
        }
        if let other, other.id != broadcast.id, other.isAlive(at: .now) {
            throw Failure(
                "\"\(other.title.printable)\" is on air already; stop it first, or try again in 2 s if it was killed",
                exitCode: 1)
        }
    }
}
