import BroadcastPreferences
import ExampleSupport
import Foundation

/// How the viewer says things, on the panel and in lines.
enum Text {
    static func headline(_ state: BroadcastModel.State) -> String {
        switch state {
        case .offAir(let last?) where last.endedAt != nil:
            "Not Broadcasting: \(title(last)) \(ending(last))"
        case .offAir: "Not Broadcasting"
        case .onAir(let broadcast?): "Broadcasting \(title(broadcast)) since \(time(broadcast.startedAt))"
        case .onAir(nil): "Broadcasting"
        case .lost(let broadcast): "No heartbeat since \(time(broadcast.heartbeat)): the broadcaster died"
        }
    }

    /// Without control characters, whatever is in the file: they would reach the terminal.
    private static func title(_ broadcast: Broadcast) -> String { "\"\(printable(broadcast.title, 40))\"" }

    private static func ending(_ broadcast: Broadcast) -> String {
        if let failure = broadcast.failure { return "ended with an error: \(printable(failure, 60))" }
        return broadcast.endedAt.map { "finished at \(time($0))" } ?? "is over"
    }

    static func bitrate(_ broadcast: Broadcast) -> String {
        String(format: "%.1f Mbit/s", Double(broadcast.bitrate) / 1e6)
    }

    static func milliseconds(_ duration: Duration) -> String {
        String(format: "%.3f ms", duration / .milliseconds(1))
    }

    private static func time(_ date: Date) -> String {
        let parts = Calendar.current.dateComponents([.hour, .minute, .second], from: date)
        return String(format: "%02d:%02d:%02d", parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0)
    }

    private static func printable(_ text: String, _ limit: Int) -> String {
        let clean = text.printable
        return clean.count > limit ? clean.prefix(limit - 1) + "…" : clean
    }
}
