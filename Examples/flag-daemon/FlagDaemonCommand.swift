import ExampleSupport

/// Runs the daemon until SIGTERM or Ctrl-C.
@main struct FlagDaemonCommand {
    private static let usage = """
        usage: flag-daemon [--group ID]

        Follows the flags in the value "flags" of the group, an object of booleans, and reports in its value "status"
        what it is doing. ID is \(FlagDaemon.group) unless you say otherwise. SIGTERM and Ctrl-C end it properly.
        """

    static func main() async {
        let console = Console("flag-daemon")
        // Before anything that must be ended: a signal that comes during the start is waited for, too.
        let stop = await StopSignals()
        await console.run(usage) { arguments in
            var group = FlagDaemon.group
            if let option = arguments.next() {
                guard option == "--group" else { throw Failure.usage("there is no option \(option)") }
                group = try arguments.value(of: option)
            }
            try arguments.end()

            let daemon = try FlagDaemon(group: group, console: console)
            try await daemon.start()
            _ = try await stop.come { try await daemon.run() }
            try await daemon.stop()
        }
    }
}
