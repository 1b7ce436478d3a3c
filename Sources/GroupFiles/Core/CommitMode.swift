/// How what was prepared gets its name.
enum CommitMode: Sendable {
    case replace, create
}
