import FileEvents
import Synchronization

/// Wakes the main loop when a value of `list --live` has changed, or names in the container come or go.
///
/// It remembers the change, because while a frame is being made, the loop's wake-ups are meant for the code that makes
/// the frame.
final class FrameWaker: PathWatchDelegate {
    private let loop: MainLoop
    private let isNews = Atomic(false)

    init(_ loop: MainLoop) {
        self.loop = loop
    }

    func wake() {
        isNews.store(true, ordering: .sequentiallyConsistent)
        loop.wake()
    }

    /// Called when a frame is begun that shows everything up to now.
    func begin() {
        isNews.store(false, ordering: .sequentiallyConsistent)
    }

    /// Whether it has woken the loop since the last frame began.
    var hasWoken: Bool { isNews.load(ordering: .sequentiallyConsistent) }

    func namesChanged(_ events: [InotifyEvent], in target: PathTarget?, isLeft: Bool) { wake() }
    func everythingMayHaveChanged() { wake() }

    func lookForChanges() -> Bool {
        wake()
        return true
    }
}
