import Synchronization

/// What happens while a renderer sleeps or shows something; only the newest of each counts.
final class RendererInbox<Entry: TimelineEntry>: Sendable {
    private struct News {
        var wantsReload = false
        var timeline: Timeline<Entry>?
    }

    private let news = Mutex(News())
    private let waker: AsyncStream<Void>.Continuation
    /// One element for everything that has happened since the last one.
    let wakeups: AsyncStream<Void>

    init() {
        (wakeups, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func requestReload() {
        news.withLock { $0.wantsReload = true }
        wake()
    }

    func put(_ timeline: Timeline<Entry>) {
        news.withLock { $0.timeline = timeline }
        wake()
    }

    /// Makes the renderer look into the inbox.
    func wake() { waker.yield() }

    func empty(into schedule: inout TimelineSchedule<Entry>) {
        let found = news.withLock { news in
            defer { news = News() }
            return news
        }
        if let timeline = found.timeline { schedule.receive(timeline) }
        if found.wantsReload { schedule.requestReload() }
    }
}
