import SystemCalls

/// Runs the measurements that are asked for, one after the other, and reports.
struct Bench {
    private let options: Options
    private let workshop: Workshop
    private let measurements: [Measurement]

    /// Returns the exit code.
    static func main(_ arguments: [String]) throws -> Int32 {
        let options = try Options(arguments)
        if options.wantsHelp {
            Benchmarks.say(Options.help)
            return 0
        }
        do {
            return try Bench(options).run()
        } catch let interrupted as Interrupted {
            return 128 + interrupted.signal.rawValue
        }
    }

    private init(_ options: Options) throws {
        self.options = options
        workshop = Workshop(
            options.isQuick ? .quick : .full, options.floor, try Interrupts(),
            watchValue: try options.watchValue ?? Build.product("watch-value"))
        let all =
            LatencyRows.all + WriteRows.all + UpdateRows.all + ViewersRows.all + CollectionRows.all + AudienceRows.all
            + IdleRows.all + CommandRows.all(try Self.command(options, workshop)) + ProcessRows.all
        measurements = all.filter { $0.rows.contains { options.wants($0) } }
        if measurements.isEmpty {
            let names = all.flatMap(\.rows).map(\.name).joined(separator: "; ")
            throw Misuse(message: "no row's name has that in it, of these: \(names)")
        }
    }

    /// How the command that is measured was built, and which command it is if not ours.
    private static func command(_ options: Options, _ workshop: Workshop) throws -> String {
        let linkage: String
        do {
            linkage = try Build.linkage(of: workshop.watchValue, workshop.interrupts)
        } catch is Failure {
            linkage = "unknown"  // The command cannot be run; its row says why.
        }
        return options.watchValue.map { "\(linkage) build, \($0)" } ?? "\(linkage) \(Build.configuration) build"
    }

    private func run() throws -> Int32 {
        var report = Report(isQuick: options.isQuick, floor: options.floor)
        for (index, measurement) in measurements.enumerated() {
            Benchmarks.complain("\(index + 1) of \(measurements.count): \(measurement.rows[0].name)")
            for (row, outcome) in zip(measurement.rows, try measurement.run(workshop)) where options.wants(row) {
                report.add(row, outcome)
            }
        }
        Benchmarks.say(options.wantsJSON ? try report.json() : report.table())
        return report.hasFailure ? 1 : 0
    }
}
