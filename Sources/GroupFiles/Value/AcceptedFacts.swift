import FileEvents

/// What is known of a value, whatever its type.
struct AcceptedFacts: Sendable {
    /// Counts the core's offers; only newer ones are accepted.
    var order: UInt64 = 0
    /// What the value was decoded from: "missing" for the initial value.
    var content = Content.missing
    var status = GroupFileStatus.missing
    /// The content that failed last; nil once it was replaced by a value, or removed.
    var invalidContent: Content?
    /// How often the content was replaced by a different one.
    private(set) var exchanges = 0
    /// How many contents were accepted.
    private var acceptances = 0
    /// The newest of the bad contents, each once, oldest first: for readers that are slower than failures arrive.
    var failures: [NotedFailure] = []
    var health = WatchHealth.waitingForDirectory
    var isOwn = false
    /// Whether the content is this file's own encoding of the value, without anything added.
    var isExactlyOwnEncoding = false
    /// Why the last set by a ``GroupValue``, which cannot throw, failed; nil once one has succeeded.
    var failedSet: GroupFileError?
    /// Counts the failed sets, so that the same failure again counts as another one.
    var failedSets = 0

    /// The value is now that of this content.
    mutating func accept(_ content: Content, _ status: GroupFileStatus, isOwn: Bool) {
        if content != self.content { exchanges += 1 }
        self.content = content
        self.status = status
        self.isOwn = isOwn
        acceptances += 1
        invalidContent = nil
    }

    /// The content is not a value, for this reason; the value stays what it is.
    mutating func note(_ error: GroupFileError, of content: Content) {
        if invalidContent == content { return }
        invalidContent = content
        let failure = NotedFailure(
            number: lastFailure + 1, of: content, after: acceptances, error: error)
        // A failure that comes again becomes the newest, so that a new reader begins with it.
        failures.removeAll { $0.identity == failure.identity }
        failures.append(failure)
        if failures.count > Self.mostFailures { failures.removeFirst() }
    }

    static var mostFailures: Int { 16 }

    /// The number of the failure that came last; 0 before the first.
    var lastFailure: Int { failures.last?.number ?? 0 }
}
