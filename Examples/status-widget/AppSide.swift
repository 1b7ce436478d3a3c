import ExampleSupport
import Foundation
import GroupFiles
import Timelines

/// Changes what the widgets show.
struct AppSide {
    private let console: Console

    init(_ console: Console) {
        self.console = console
    }

    func run(_ arguments: inout Arguments) throws {
        switch arguments.next() {
        case "say":
            var status = Status(text: try arguments.value(of: "say"))
            if let option = arguments.next() {
                guard option == "--for" else { throw Failure.usage("say has no option \(option)") }
                status.end = try Date.now + arguments.number(of: option, in: 0.0...1_000_000)
            }
            try arguments.end()
            // First the value, then the request to show it.
            try Shared(access: .readWrite).status.write(status)
            try TimelineCenter.shared.reloadTimelines(ofKind: Kind.status.rawValue)
        case "set-time-zone":
            let zone = try arguments.value(of: "set-time-zone")
            try arguments.end()
            guard TimeZone(identifier: zone) != nil else { throw Failure.usage("there is no time zone \"\(zone)\"") }
            // The clock follows its configuration by itself.
            try Shared(access: .readWrite).clock.update { $0.timeZone = zone }
        case "reload":
            let kind = try arguments.next().map(Kind.init(named:))
            try arguments.end()
            if let kind {
                try TimelineCenter.shared.reloadTimelines(ofKind: kind.rawValue)
            } else {
                try TimelineCenter.shared.reloadAllTimelines()
            }
        case "list":
            try arguments.end()
            for widget in try TimelineCenter.shared.getCurrentConfigurations() {
                let settings = widget.configuration(as: ClockSettings.self)
                console.say("\(widget.kind)" + (settings.map { ": \($0.timeZone)" } ?? ""))
            }
        case let word?: throw Failure.usage("the app has no command \(word)")
        case nil: throw Failure.usage("say what the app is to do: say, set-time-zone, reload or list")
        }
    }
}
