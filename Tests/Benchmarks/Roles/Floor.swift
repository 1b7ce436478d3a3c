import CFloor

/// The roles that are C from here on.
///
///     benchmarks floor-viewer TARGET [both|moved|quiet]
///     benchmarks floor-writer TARGET RATE COUNT FIRST [rename|fsync]
///     benchmarks floor-updater DIRECTORY SECONDS
enum Floor {
    private enum Kind: String, CaseIterable {
        /// Both events: IN_MOVED_TO and IN_CLOSE_WRITE.
        case both, moved, quiet
    }

    private enum Replacing: String, CaseIterable {
        case rename, fsync
    }

    /// The exit code.
    static func run(_ role: Role, _ operands: Operands) throws -> Int32 {
        switch role {
        case .floorViewer:
            let kind: Kind = try operands.choice(1, "the kind")
            return unsafe cf_view(try operands.text(0, "TARGET"), kind != .moved, kind == .quiet)
        case .floorWriter:
            let replacing: Replacing = try operands.choice(4, "the way")
            return unsafe cf_write(
                try operands.text(0, "TARGET"), replacing == .fsync, try operands.number(1, "RATE"),
                try operands.number(2, "COUNT"), try operands.number(3, "FIRST"), Writer.longestBurst)
        default:
            let directory = try operands.text(0, "DIRECTORY")
            let seconds: Double = try operands.number(1, "SECONDS")
            try Updater.waitForStart()
            let count = unsafe cf_update(directory, seconds)
            if count >= 0 { Benchmarks.say("\(count)") }
            return count < 0 ? 1 : 0
        }
    }
}
