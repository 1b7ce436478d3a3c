import Foundation

struct Status: Codable, Sendable {
    var text: String
    /// When it is over; nil if nobody knows.
    var end: Date?
}
