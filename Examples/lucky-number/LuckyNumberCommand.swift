import ExampleSupport

/// An app that draws numbers, and a widget that shows them: two processes that share a group.
@main struct LuckyNumberCommand {
    private static let usage = """
        usage: lucky-number app [--repeat N] [--background FILE]
               lucky-number widget

        app     draws a number from 1 to 99, shares it, prints it and ends. With --repeat it draws N times, one number a
                second; with --background it shares FILE's bytes, a picture's, too.
        widget  shows what is shared now, then each change, until Ctrl-C.

        --group ID    Both need the same; it is \(Shared.group) unless you say otherwise.
        """

    static func main() async {
        let console = Console("lucky-number")
        await console.run(usage) { arguments in
            switch arguments.next() {
            case "app": try await App(&arguments).run(console)
            case "widget": try await Widget(&arguments, console).run()
            case let word?: throw Failure.usage("there is no command \(word): say app or widget")
            case nil: throw Failure.usage("say app or widget")
            }
        }
    }
}
