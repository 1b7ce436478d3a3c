import SystemCalls

/// How long after its last change to the file a foreign writer is taken to be done.
enum SettleTime {
    static let nanoseconds: Int64 = 50_000_000
    static let duration = Duration.nanoseconds(nanoseconds)
    /// How long a call waits for a writer that goes on and on.
    static let patience = Duration.seconds(1)
}

extension Fingerprint {
    /// Whether the file says that it was changed less than the settle time ago.
    var isRecent: Bool { age.map { $0 < SettleTime.nanoseconds } ?? false }
}
