/// The cores whose files were touched by events. Most often there is only one, which takes no array.
struct TouchedCores {
    private(set) var first: FileCore?
    private(set) var others: [FileCore] = []

    mutating func insert(_ core: FileCore) {
        if first == nil {
            first = core
        } else if first !== core, !others.contains(where: { $0 === core }) {
            others.append(core)
        }
    }

    /// Each judges its events.
    func judgeEvents() {
        first?.judgeEvents()
        for core in others { core.judgeEvents() }
    }
}
