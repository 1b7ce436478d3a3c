struct ClockSettings: Codable, Equatable, Sendable {
    var timeZone = "UTC"
}
