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

    /// Goes on air, unless another one is.
    init(title: String) async throws {
        preferences = try BroadcastPreferences()
        broadcast = Broadcast(title: title, startedAt: .now)
        try await goOnAir()
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
        let isOnAir = preferences.isBroadcasting.value && preferences.broadcast.value.map(isThis) ?? false
        if !isOnAir || !broadcast.isAlive(at: .now) { try await goOnAir() }
    }

    /// Where the flag is still true but nobody is behind it, takes over from a broadcaster that was killed.
    private func goOnAir() async throws {
        var broadcast = broadcast
        broadcast.heartbeat = .now
        // Under the flag's lock: of two that start at once, one is on air and the other is told.
        try await preferences.isBroadcasting.update { isBroadcasting in
            if isBroadcasting, let other = try await preferences.broadcast.read(), other.isAlive(at: .now),
                !isThis(other)
            {
                throw Failure(
                    "\"\(other.title)\" is on air already; stop it first, or try again in 2 s if it was killed",
                    exitCode: 1)
            }
            // First what it is, then that it is: who sees the flag finds the broadcast there.
            try await preferences.broadcast.write(broadcast)
            isBroadcasting = true
        }
        self.broadcast = broadcast
    }

    /// By when it began, whatever else somebody has made of it. Dates are rounded on their way through the file.
    private func isThis(_ other: Broadcast) -> Bool {
        abs(other.startedAt.timeIntervalSince(broadcast.startedAt)) < 0.001
    }
}
