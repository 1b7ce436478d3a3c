import Dispatch
import FileEvents
import TestSupport
import Testing

/// Handlers may hold the observer, and so may objects that use it as they are released.
struct FileObserverReleaseTests {
    /// Cancels the observer when it is itself released.
    private final class Ending: Sendable {
        let observer: FileObserver

        init(_ observer: FileObserver) {
            self.observer = observer
        }

        deinit {
            observer.setEventHandler(handler: nil)
            observer.setCancelHandler(handler: nil)
            observer.cancel()
        }
    }

    /// How an observer that only its own handlers hold comes to its end. The file is written meanwhile.
    static let ends: [(name: String, begin: @Sendable (FileObserver) -> Void)] = [
        (
            "cancelled in its handler",
            { observer in
                observer.setEventHandler { observer.cancel() }
                observer.activate()
            }
        ),
        (
            "cancelled on another thread",
            { observer in
                observer.setEventHandler { _ = observer.data }
                observer.activate()
                DispatchQueue.global().async { observer.cancel() }
            }
        ),
        (
            "cancelled in its cancel handler, too",
            { observer in
                observer.setEventHandler { observer.cancel() }
                observer.setCancelHandler { observer.cancel() }
                observer.activate()
            }
        ),
        (
            "let go, its handler holding it weakly",
            { observer in
                observer.setEventHandler { [weak observer] in _ = observer?.data }
                observer.activate()
            }
        ),
        (
            "never activated",
            { observer in
                observer.setEventHandler { _ = observer.data }
                observer.setCancelHandler { _ = observer.data }
                observer.cancel()
            }
        ),
        (
            "its handlers replaced",
            { observer in
                observer.setEventHandler { _ = observer.data }
                observer.setCancelHandler { _ = observer.data }
                observer.activate()
                observer.setEventHandler {}
                observer.setCancelHandler(handler: nil)
            }
        ),
        (
            "its handler replaced in it",
            { observer in
                observer.setEventHandler { observer.setEventHandler(handler: nil) }
                observer.activate()
            }
        ),
        (
            "its handlers set when it was cancelled",
            { observer in
                observer.cancel()
                observer.setEventHandler { _ = observer.data }
            }
        ),
        (
            "its handlers set when it has ended",
            { observer in
                observer.setCancelHandler {
                    observer.setEventHandler { _ = observer.data }
                    observer.setCancelHandler { _ = observer.data }
                }
                observer.cancel()
            }
        ),
        (
            "what its handlers hold uses it as they are replaced",
            { observer in
                let (first, second) = (Ending(observer), Ending(observer))
                observer.setEventHandler { withExtendedLifetime(first) {} }
                observer.setCancelHandler { withExtendedLifetime(second) {} }
                observer.activate()
                observer.setEventHandler {}
                observer.setCancelHandler(handler: nil)
            }
        ),
        (
            "what its handlers hold uses it as it is cancelled",
            { observer in
                let (first, second) = (Ending(observer), Ending(observer))
                observer.setEventHandler { withExtendedLifetime(first) {} }
                observer.setCancelHandler { withExtendedLifetime(second) {} }
                observer.activate()
                observer.cancel()
            }
        ),
    ]

    @Test(arguments: ends.indices, [true, false])
    func anObserverThatItsHandlersHoldIsReleased(index: Int, hasQueue: Bool) async throws {
        let folder = try TemporaryDirectory()
        weak var weakObserver: FileObserver?
        do {
            let observer = FileObserver(
                path: folder.path("f"), queue: hasQueue ? DispatchQueue(label: "test") : nil)
            weakObserver = observer
            Self.ends[index].begin(observer)
        }
        try folder.write("1", to: "f")
        #expect(await eventually { weakObserver == nil }, "\(Self.ends[index].name)")
    }
}
