/// A line of the table.
struct Row {
    let name: String
    /// The unit of `ours` and `floor`.
    let unit: String
    /// The target; if it has no unit, it is one for the ratio.
    let target: String?

    init(_ name: String, _ unit: String, target: String? = nil) {
        self.name = name
        self.unit = unit
        self.target = target
    }
}
