/// Why a bad content is no value, for those who read failures.
struct NotedFailure: Sendable {
    /// Counts them.
    let number: Int
    /// The same for the same content, until one was accepted. Not the content itself, which may be long.
    let identity: Int
    let error: GroupFileError

    init(number: Int, of content: Content, after acceptances: Int, error: GroupFileError) {
        var hasher = Hasher()
        hasher.combine(acceptances)
        hasher.combine(content)
        self.number = number
        identity = hasher.finalize()
        self.error = error
    }
}
