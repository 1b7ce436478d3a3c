import ExampleSupport

/// Two kinds of widget, and the app that they belong to: processes that share a group.
@main struct StatusWidgetCommand {
    private static let usage = """
        usage: status-widget widget [--preview] [status | clock]
               status-widget app say TEXT [--for SECONDS]
               status-widget app set-time-zone ZONE
               status-widget app reload [status | clock]
               status-widget app list

        widget         shows both kinds, or one, until Ctrl-C; with --preview what they look like now.
        say            sets what the status widget shows; with --for, for that long.
        set-time-zone  configures the clock, as its user would: Europe/Berlin, Asia/Tokyo.
        reload         has all widgets make their timelines anew, or those of one kind.
        list           prints which widgets are shown now, and how they are configured.
        """

    static func main() async {
        let console = Console("status-widget")
        await console.run(usage) { arguments in
            switch arguments.next() {
            case "widget": try await WidgetSide(&arguments, console).run()
            case "app": try AppSide(console).run(&arguments)
            case let word?: throw Failure.usage("there is no command \(word): say app or widget")
            case nil: throw Failure.usage("say app or widget")
            }
        }
    }
}
