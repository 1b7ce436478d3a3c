import FoundationEssentials
import Timelines

/// One line, from a date on.
struct TextEntry: TimelineEntry {
    let date: Date
    let text: String
}
