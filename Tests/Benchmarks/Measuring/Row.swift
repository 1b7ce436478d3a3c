/// A line of the table.
struct Row {
    let name: String
    /// Of `ours` and `floor`.
    let unit: String
    /// What is to be reached, of the ratio where it has no unit.
    let target: String?

    init(_ name: String, _ unit: String, target: String? = nil) {
        self.name = name
        self.unit = unit
        self.target = target
    }
}
