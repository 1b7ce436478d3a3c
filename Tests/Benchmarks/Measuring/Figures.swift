/// What was measured for a row.
struct Figures {
    let ours: Spread
    var floor: Spread?
    /// Ours divided by the floor's, pair by pair.
    var ratio: Spread?

    /// Without a floor.
    init(_ ours: [Double]) {
        self.ours = Spread(ours)
    }

    /// As many of ours as of the floor, measured in turn.
    init(ours: [Double], floor: [Double]) {
        self.ours = Spread(ours)
        self.floor = Spread(floor)
        ratio = Spread(zip(ours, floor).map { $0 / $1 })
    }

    /// Measures blocks of the floor and of ours in turn: what else the machine does meanwhile affects both.
    static func paired(_ pairs: Int, floor: () throws -> Double, ours: () throws -> Double) rethrows -> Figures {
        var all: (ours: [Double], floor: [Double]) = ([], [])
        for _ in 0..<pairs {
            all.floor.append(try floor())
            all.ours.append(try ours())
        }
        return Figures(ours: all.ours, floor: all.floor)
    }
}
