import BroadcastPreferences
import Dispatch
import Foundation
import GroupFiles

/// The app's view model: what is on air, kept up to date whatever process writes it.
///
/// 1. Two values are *subscribed*; both call on the main queue.
/// 2. They are *combined* into `state`.
/// 3. While on air a deadline is *armed* with each heartbeat; if none comes in time, the broadcaster is lost.
/// 4. The view is *notified* of each change.
@MainActor final class BroadcastModel {
    enum State: Equatable {
        /// With the last broadcast, if there was one.
        case offAir(last: Broadcast?)
        /// Without a broadcast if something other than a broadcaster set the flag.
        case onAir(Broadcast?)
        /// The flag says on air, but the heartbeat stopped.
        case lost(Broadcast)
    }

    private(set) var state = State.offAir(last: nil)
    /// The time from just before the write, in the broadcaster, until it arrives here; nil unless a live broadcast
    /// arrived.
    private(set) var timeToView: Duration?

    private let preferences: BroadcastPreferences
    private let didChange: @MainActor (BroadcastModel) -> Void
    private var isBroadcasting: Bool?
    private var broadcast: Broadcast?
    private var subscriptions: Set<Subscription> = []
    private let deadline = DispatchSource.makeTimerSource(queue: .main)
    private var hasShown = false

    /// `didChange` is called with each change, and for the first time as soon as the values are known.
    init(_ preferences: BroadcastPreferences, didChange: @escaping @MainActor (BroadcastModel) -> Void) {
        self.preferences = preferences
        self.didChange = didChange
        deadline.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.update() } }
        deadline.activate()
        preferences.isBroadcasting.sink(on: .main) { [weak self] isBroadcasting in
            MainActor.assumeIsolated { self?.flagChanged(isBroadcasting) }
        }.store(in: &subscriptions)
        preferences.broadcast.sink(on: .main) { [weak self] broadcast in
            MainActor.assumeIsolated { self?.broadcastChanged(broadcast, at: .now) }
        }.store(in: &subscriptions)
    }

    private func flagChanged(_ isBroadcasting: Bool) {
        self.isBroadcasting = isBroadcasting
        do {
            // Two values have no order between them. But what was written before the flag is already on disk, even if
            // the notification of it is still on the way.
            broadcast = try preferences.broadcast.read()
        } catch {
            // No broadcast can be read; `failures` says why, and the flag counts all the same.
            broadcast = nil
        }
        update()
    }

    private func broadcastChanged(_ broadcast: Broadcast?, at now: Date) {
        guard broadcast != self.broadcast else { return }
        self.broadcast = broadcast
        timeToView = broadcast.flatMap { broadcast in
            broadcast.isAlive(at: now) ? .seconds(now.timeIntervalSince(broadcast.heartbeat)) : nil
        }
        // The broadcast is written before the flag goes up, and its end before the flag comes down: the flag's call
        // follows, unless the broadcaster is killed in between.
        if let broadcast, (broadcast.endedAt == nil) != isBroadcasting {
            deadline.schedule(deadline: .now() + Broadcast.heartbeatLimit / .seconds(1))
            return
        }
        update()
    }

    private func update() {
        // Nothing is known before the flag's first call.
        guard let isBroadcasting else { return }
        let now = Date.now
        deadline.schedule(deadline: .distantFuture)
        switch (isBroadcasting, broadcast) {
        case (true, nil): show(.onAir(nil))
        case (true, let broadcast?) where broadcast.endedAt == nil:
            let remaining = broadcast.remainingTime(at: now)
            if remaining == .zero {
                show(.lost(broadcast))
            } else {
                deadline.schedule(deadline: .now() + remaining / .seconds(1))
                show(.onAir(broadcast))
            }
        // Also if the flag is still up: the broadcast has ended all the same.
        case (_, let last): show(.offAir(last: last))
        }
    }

    private func show(_ state: State) {
        if self.state == state, hasShown { return }
        self.state = state
        hasShown = true
        didChange(self)
    }
}
