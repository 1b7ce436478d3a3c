import Foundation
import GroupFiles
import Timelines

/// Shows the app's last message until that expires. The app requests a reload when it has more to say.
struct StatusProvider: TimelineProvider {
    let status: GroupFile<Status?>

    func placeholder(in context: Context) -> TextEntry { TextEntry(date: context.date, text: "…") }

    func snapshot(in context: Context) async -> TextEntry {
        await timeline(in: context).entries.last { $0.date <= context.date } ?? placeholder(in: context)
    }

    func timeline(in context: Context) async -> Timeline<TextEntry> {
        let idle = TextEntry(date: context.date, text: "Ready")
        guard let status = await newest else { return Timeline(entries: [idle], policy: .never) }
        let said = TextEntry(date: context.date, text: status.text)
        guard let end = status.end else { return Timeline(entries: [said], policy: .never) }
        if end <= context.date { return Timeline(entries: [idle], policy: .never) }
        return Timeline(entries: [said, TextEntry(date: end, text: "Ready")], policy: .never)
    }

    /// From the file: what the app wrote before it requested the reload is there, even if the notification of it is
    /// still on the way.
    private var newest: Status? {
        get async {
            do {
                return try await status.read()
            } catch {
                return status.value  // The last good one; `failures` says why.
            }
        }
    }
}
