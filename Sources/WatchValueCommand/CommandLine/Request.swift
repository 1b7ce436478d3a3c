/// What a command line asks for.
enum Request {
    case run(Arguments)
    /// Nil for the help of the whole.
    case help(Command?)
    case version
}
