/// What becomes of a value that comes while COMMAND still runs for another one.
enum BusyPolicy: String, CaseIterable, Sendable {
    /// Runs follow each other; of the values that wait, only the newest is kept.
    case queue
    /// A run is stopped for a newer value.
    case restart
    /// Values that come during a run are left out.
    case skip
}
