/// What a writer is to write: the words RATE, COUNT and FIRST.
struct Series {
    /// Values a second; 0 for as fast as it goes.
    let rate: Double
    let count: Int
    /// The first value's counter.
    let first: Int64

    init(_ operands: Operands) throws {
        let slowest = 0.001
        rate = try operands.number(1, "RATE", in: 0...1e9)
        // The next value must be due at a time that can be expressed.
        if rate > 0, rate < slowest { throw operands.misuse("RATE", "is neither 0 nor \(slowest) at least", "\(rate)") }
        count = try operands.number(2, "COUNT", in: 0...Int.max)
        first = try operands.number(3, "FIRST", in: Int64.min...Int64.max)
        if count > 0, first.addingReportingOverflow(Int64(count - 1)).overflow {
            throw operands.misuse("FIRST", "leaves no counters for COUNT values", "\(first)")
        }
    }
}
