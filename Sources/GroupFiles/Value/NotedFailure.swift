/// Why a bad content is not a value, for readers of `failures`.
struct NotedFailure: Sendable {
    /// Counts the failures.
    let number: Int
    /// Equal for equal bad content, until some content is accepted. Not the content itself, which may be long.
    let identity: Int
    let error: GroupFileError

    /// - Parameter hash: The content's.
    init(number: Int, of hash: Int, after acceptances: Int, error: GroupFileError) {
        var hasher = Hasher()
        hasher.combine(acceptances)
        hasher.combine(hash)
        self.number = number
        identity = hasher.finalize()
        self.error = error
    }
}
