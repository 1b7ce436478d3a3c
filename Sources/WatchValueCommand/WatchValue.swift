import SystemCalls

/// The command `watch-value`.
package enum WatchValue {
    /// Does what the process's arguments say, and ends the process.
    package static func main() -> Never {
        StandardStream.fillGaps()
        // A closed pipe is then an error of write(2), which ends the command quietly; the main loop sees a SIGPIPE that
        // another process sends.
        Signal.brokenPipe.block()
        // So is exceeding `ulimit -f`, even where only COMMAND's input is too large.
        Signal.fileTooLarge.block()
        // A parent that ignores SIGCHLD passes that on; then neither this process nor its children learn when a child
        // ends.
        Signal.child.restoreDefault()
        do throws(Failure) {
            switch try ArgumentParser.parse(CurrentProcess.arguments.dropFirst()) {
            case .help(let command): try Output.write(Help.text(for: command))
            case .version: try Output.write("watch-value \(Help.version)\n")
            case .run(let arguments): try run(arguments)
            }
        } catch {
            if !error.message.isEmpty { Output.complain(error.message) }
            if let signal = error.signal, signal.isToBeDiedOf { CurrentProcess.die(of: signal.signal) }
            CurrentProcess.exit(error.code)
        }
        CurrentProcess.exit(ExitCode.done.rawValue)
    }

    private static func run(_ arguments: Arguments) throws(Failure) {
        switch arguments.command {
        case .watch where !arguments.program.isEmpty: try RunCommand(arguments).run()
        case .watch: try WatchCommand(arguments).run()
        case .get: try GetCommand.run(arguments)
        case .set: try SetCommand(arguments).run()
        case .update: try UpdateCommand(arguments).run()
        case .wait: try WaitCommand(arguments).run()
        case .list: try ListCommand.run(arguments)
        case .remove: try RemoveCommand.run(arguments)
        case .doctor: try DoctorCommand.run(arguments)
        case .completions: try Output.write(Completions.script(for: arguments.operands[0]))
        case .path: try PathCommand.run(arguments)
        }
    }
}
