import ExampleSupport
import Foundation
import Timelines

/// The time of day in the user's time zone of choice: entries are made ahead, for five minutes at a time.
struct ClockProvider: IntentTimelineProvider {
    /// Reports what is wrong with a configuration.
    let report: @Sendable (String) -> Void

    func placeholder(in context: Context) -> TextEntry { TextEntry(date: context.date, text: "--:--") }

    func snapshot(for settings: ClockSettings, in context: Context) async -> TextEntry {
        TextEntry(date: context.date, text: text(context.date, place(settings)))
    }

    func timeline(for settings: ClockSettings, in context: Context) async -> Timeline<TextEntry> {
        let place = place(settings)
        let minute = Date(timeIntervalSince1970: (context.date.timeIntervalSince1970 / 60).rounded(.down) * 60)
        let entries = (0..<5).map { number in
            let date = minute + Double(number) * 60
            return TextEntry(date: date, text: text(date, place))
        }
        return Timeline(entries: entries, policy: .atEnd)
    }

    private func place(_ settings: ClockSettings) -> (name: String, zone: TimeZone) {
        if let zone = TimeZone(identifier: settings.timeZone) { return (settings.timeZone, zone) }
        report("there is no time zone \"\(settings.timeZone.printable)\"; the clock shows UTC")
        return ("UTC", .gmt)
    }

    private func text(_ date: Date, _ place: (name: String, zone: TimeZone)) -> String {
        let time = Calendar(identifier: .gregorian).dateComponents(in: place.zone, from: date)
        return String(format: "%02d:%02d", time.hour ?? 0, time.minute ?? 0) + " in \(place.name)"
    }
}
