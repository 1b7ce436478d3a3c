/// How a prepared file gets the value's name.
enum CommitMode: Sendable {
    case replace, create
}
