/// What a command line asks for.
enum Request {
    case run(Arguments)
    /// Nil for the help that lists all commands.
    case help(Command?)
    case version
}
