/// How long a foreign writer is given after it last did something to the file.
enum SettleTime {
    static let nanoseconds: Int64 = 50_000_000
    static let duration = Duration.nanoseconds(nanoseconds)
}
