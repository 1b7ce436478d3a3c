import CFloor

/// The roles that run in C from here on.
///
///     benchmarks floor-viewer TARGET [both|moved|quiet|guarded|guarded-quiet]
///     benchmarks floor-writer TARGET RATE COUNT FIRST [rename|fsync|guarded|guarded-fsync]
///     benchmarks floor-updater DIRECTORY SECONDS [plain|guarded]
enum Floor {
    private enum Kind: String, CaseIterable {
        /// Both events: IN_MOVED_TO and IN_CLOSE_WRITE.
        case both, moved, quiet, guarded
        case guardedQuiet = "guarded-quiet"
    }

    private enum Replacing: String, CaseIterable {
        case rename, fsync, guarded
        case guardedFsync = "guarded-fsync"
    }

    private enum Updating: String, CaseIterable {
        case plain, guarded
    }

    /// The exit code.
    static func run(_ role: Role, _ operands: Operands) throws -> Int32 {
        switch role {
        case .floorViewer:
            let kind: Kind = try operands.choice(1, "the kind")
            return unsafe cf_view(
                try operands.target(), kind != .moved, kind == .quiet || kind == .guardedQuiet,
                kind == .guarded || kind == .guardedQuiet)
        case .floorWriter:
            let replacing: Replacing = try operands.choice(4, "the way")
            let series = try Series(operands)
            return unsafe cf_write(
                try operands.target(), replacing == .fsync || replacing == .guardedFsync,
                replacing == .guarded || replacing == .guardedFsync, series.rate, series.count,
                series.first, Writer.longestBurst)
        default:
            let directory = try operands.text(0, "DIRECTORY")
            let seconds: Double = try operands.number(1, "SECONDS", in: Updater.bounds)
            let updating: Updating = try operands.choice(2, "the way")
            try Updater.waitForStart()
            let count = unsafe cf_update(directory, updating == .guarded, seconds)
            if count >= 0 { Benchmarks.say("\(count)") }
            return count < 0 ? 1 : 0
        }
    }
}
