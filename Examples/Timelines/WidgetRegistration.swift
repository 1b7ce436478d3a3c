import ExampleSupport
import FoundationEssentials
import GroupFiles

/// Keeps the widget of a renderer registered.
///
/// 1. A change of the registered widgets, or of this one's configuration, *wakes* it.
/// 2. The widget is *registered*, unless it already is; widgets whose process was killed are forgotten.
/// 3. Once its task is cancelled, it is *forgotten*, too.
struct WidgetRegistration: Sendable {
    let kind: String
    let center: TimelineCenter
    /// The configuration as JSON.
    let configuration: @Sendable () throws -> String?

    private let identifier = UUID().uuidString
    /// One element for everything that has happened since the last one.
    private let wakeups = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    func wake() { wakeups.continuation.yield() }

    /// Keeps the widget registered until the task is cancelled.
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
                        // The task was cancelled, as intended.
                    } catch {
                        report(error)
                    }
                }
                return isKnown
            }
            // In a task of its own, which is not cancelled.
            if isKnown { try await Task { try await forget() }.value }
        } catch {
            report(error)
        }
    }

    private func register(in widgets: GroupFile<[String: WidgetInfo]?>) async throws {
        // If the container was removed, it is not created again from here, unless it was removed in the very moment
        // between this look and the write, which creates a directory that it finds missing.
        if widgets.health == .waitingForDirectory { return }
        let info = WidgetInfo(kind: kind, process: .current, configuration: try configuration())
        do {
            try await widgets.update { widgets in
                widgets = (widgets ?? [:]).filter(\.value.process.isAlive)
                widgets?[identifier] = info
            }
        } catch let error as GroupFileError where error.code == .undecodable {
            // Only widgets use this value, and each of them writes what it knows.
            try await widgets.write([identifier: info])
        }
    }

    private func forget() async throws {
        // If the widget is no longer registered, because its container was removed, nothing is created for it.
        guard try await center.widgets(.readOnly).read()?[identifier] != nil else { return }
        // A process that holds the lock must not keep this program from ending.
        try await center.widgets(.readWrite, lockTimeout: .seconds(10)).update { $0?[identifier] = nil }
    }
}
