import BroadcastPreferences
import Foundation
import GroupFiles

/// The extension's side: tells the app when a broadcast starts, goes on and ends.
///
/// ReplayKit calls such methods of an `RPBroadcastSampleHandler`; here a loop and signals do.
struct Broadcaster {
    struct AlreadyOnAir: Error, CustomStringConvertible {
        let title: String
        var description: String { "\"\(title)\" is on air already" }
    }

    private let preferences: BroadcastPreferences
    private var broadcast: Broadcast

    /// Goes on air. Where the flag is still true but nobody is behind it, takes over from a broadcaster that was killed.
    init(title: String) throws {
        let preferences = try BroadcastPreferences()
        let broadcast = Broadcast(title: title, startedAt: .now)
        // Under the flag's lock: of two that start at once, one is on air and the other is told.
        try preferences.isBroadcasting.update { isBroadcasting in
            if isBroadcasting, let other = try preferences.broadcast.read(), other.isAlive(at: .now) {
                throw AlreadyOnAir(title: other.title)
            }
            // First what it is, then that it is: who sees the flag finds the broadcast there.
            try preferences.broadcast.write(broadcast)
            isBroadcasting = true
        }
        self.preferences = preferences
        self.broadcast = broadcast
    }

    /// Frames went out; the app is told how many, and that somebody is still alive here.
    mutating func sent(frames: Int, bitrate: Int) throws {
        broadcast.framesSent += frames
        broadcast.bitrate = bitrate
        broadcast.heartbeat = .now
        try preferences.broadcast.write(broadcast)
    }

    /// Leaves the air; `failure` says why, where that was not intended.
    mutating func finish(failure: String? = nil) throws {
        broadcast.heartbeat = .now
        broadcast.endedAt = .now
        broadcast.failure = failure
        // The flag comes down in any case: it matters more than how things ended.
        let ending = Result { try preferences.broadcast.write(broadcast) }
        try preferences.isBroadcasting.write(false)
        try ending.get()
    }
}
