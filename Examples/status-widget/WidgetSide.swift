import ExampleSupport
import GroupFiles
import Timelines

/// Shows widgets, one line per change.
struct WidgetSide {
    private let console: Console
    private let shared: Shared
    private var kinds = Kind.allCases
    private var isPreview = false

    init(_ arguments: inout Arguments, _ console: Console) throws {
        self.console = console
        while let word = arguments.next() {
            if word == "--preview" { isPreview = true } else { kinds = [try Kind(named: word)] }
        }
        // Creates nothing that belongs to the app.
        shared = try Shared(access: .readOnly)
    }

    func run() async {
        let stop = await StopSignals()
        await withTaskGroup { group in
            for kind in kinds {
                group.addTask {
                    switch kind {
                    case .status:
                        await show(TimelineRenderer(kind: kind.rawValue, provider: status), as: kind)
                    case .clock:
                        let renderer = TimelineRenderer(
                            kind: kind.rawValue, provider: clock, configuration: shared.clock)
                        await show(renderer, as: kind)
                    }
                }
            }
            if isPreview { return }
            group.addTask { await report(shared.status.failures) }
            group.addTask { await report(shared.clock.failures) }
            await stop.come()
            // So that the widgets are no longer listed as shown.
            group.cancelAll()
        }
    }

    private var status: StatusProvider { StatusProvider(status: shared.status) }
    private var clock: ClockProvider { ClockProvider(report: console.report) }

    private func show(_ renderer: TimelineRenderer<some TimelineProvider<TextEntry>>, as kind: Kind) async {
        if isPreview {
            console.say("\(kind.rawValue): \(await renderer.snapshot().text)")
        } else {
            let line = Line(kind, console)
            await renderer.run(report: { console.report("\($0)") }, { await line.show($0.text) })
        }
    }

    private func report(_ failures: ValueSequence<GroupFileError>) async {
        for await failure in failures { console.report("\(failure)") }
    }
}

/// What a widget shows, printed only when it changes: a new timeline may begin with what is already shown.
private actor Line {
    private let kind: Kind
    private let console: Console
    private var text: String?

    init(_ kind: Kind, _ console: Console) {
        self.kind = kind
        self.console = console
    }

    func show(_ text: String) {
        if text == self.text { return }
        self.text = text
        console.say("\(kind.rawValue): \(text)")
    }
}
