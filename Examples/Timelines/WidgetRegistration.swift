import ExampleSupport
import FoundationEssentials
import GroupFiles

/// Keeps it known which widget a renderer shows.
///
/// 1. Whoever changes what is known of widgets, or this one's configuration, *wakes* it.
/// 2. The widget is *registered*, unless it is known so already; those whose process was killed are forgotten.
/// 3. Once its task is cancelled, it is *forgotten*, too.
struct WidgetRegistration: Sendable {
    let kind: String
    let center: TimelineCenter
    /// As JSON.
    let configuration: @Sendable () throws -> String?

    private let identifier = UUID().uuidString
    /// One for whatever has happened since the last one.
    private let wakeups = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    func wake() { wakeups.continuation.yield() }

    /// Until the task is cancelled.
    func keep(_ report: @escaping @Sendable (any Error) -> Void) async {
        do {
            let widgets = try center.widgets(.readWrite)
            let isKnown = await withTaskGroup { tasks in
                tasks.addTask { for await _ in widgets.states { wake() } }
                var isKnown = false
                for await _ in wakeups.stream {
                    do {
                        try await register(in: widgets)
                        isKnown = true
                    } catch is CancellationError {
                        // So it was told.
                    } catch {
                        report(error)
                    }
                }
                return isKnown
            }
            // A task of its own, which is not cancelled.
            if isKnown { try await Task { try await forget() }.value }
        } catch {
            report(error)
        }
    }

    private func register(in widgets: GroupFile<[String: WidgetInfo]?>) async throws {
        // Where the container was removed it is not made again from here; unless that was in the very moment between this
        // look and the write, which makes the directory that it finds missing.
        if widgets.health == .waitingForDirectory { return }
        let info = WidgetInfo(kind: kind, process: .current, configuration: try configuration())
        do {
            try await widgets.update { widgets in
                widgets = (widgets ?? [:]).filter(\.value.process.isAlive)
                widgets?[identifier] = info
            }
        } catch let error as GroupFileError where error.code == .undecodable {
            // It is nobody's but the widgets', and each of them writes what it knows.
            try await widgets.write([identifier: info])
        }
    }

    private func forget() async throws {
        // Where it is not known any more, since its container was removed, nothing is made for it.
        guard try await center.widgets(.readOnly).read()?[identifier] != nil else { return }
        // Whoever holds the lock does not keep a program from ending.
        try await center.widgets(.readWrite, lockTimeout: .seconds(10)).update { $0?[identifier] = nil }
    }
}
