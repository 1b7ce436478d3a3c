import FileEvents

/// What is known of a value, whatever its type.
struct AcceptedFacts: Sendable {
    /// Which of the core's offers, counted from 1, is the newest of those that were accepted.
    private(set) var order: UInt64 = 0
    /// Which of them the value is from: a newer one may be no value.
    private(set) var valueOrder: UInt64 = 0
    /// What the value was decoded from: "missing" for the initial value.
    private(set) var content = Content.missing
    private(set) var status = GroupFileStatus.missing
    /// The content that failed last; nil once it was replaced by a value, or removed.
    private(set) var invalidContent: Content?
    /// How often the content was replaced by a different one.
    private(set) var exchanges = 0
    /// How many contents were accepted.
    private var acceptances = 0
    /// The newest of the bad contents, each once, oldest first: for readers that are slower than failures arrive.
    private(set) var failures: [NotedFailure] = []
    var health = WatchHealth.waitingForDirectory
    private(set) var isOwn = false
    /// Whether the content is this file's own encoding of the value, without anything added.
    var isExactlyOwnEncoding = false
    /// Why sets by a ``GroupValue``, which cannot throw, have failed since one succeeded: the newest, oldest first.
    private(set) var failedSets: [GroupFileError] = []
    /// How many have ever failed, so that the same failure again counts as another one.
    private(set) var failedSetCount = 0

    /// The value is now that of this content, which was offered as `order`.
    mutating func accept(_ content: Content, _ status: GroupFileStatus, isOwn: Bool, _ order: UInt64) {
        if content != self.content { exchanges += 1 }
        self.content = content
        self.isOwn = isOwn
        isExactlyOwnEncoding = false
        valueOrder = order
        // What was offered after it, and was no value, is still there.
        if order < self.order { return }
        acceptances += 1
        self.order = order
        self.status = status
        invalidContent = nil
    }

    /// What was offered as `order` is not a value, for this reason; the value stays what it is.
    mutating func fail(_ error: GroupFileError, _ order: UInt64) {
        self.order = order
        status = .invalid(error)
        isExactlyOwnEncoding = false
    }

    /// The failure is told: the writer of the content is surely done.
    mutating func note(_ error: GroupFileError, of content: Content, hash: Int) {
        if hasFailed(content) { return }
        invalidContent = content
        let failure = NotedFailure(
            number: lastFailure + 1, of: hash, after: acceptances, error: error)
        // A failure that comes again becomes the newest, so that a new reader begins with it.
        failures.removeAll { $0.identity == failure.identity }
        failures.append(failure)
        if failures.count > Self.mostFailures { failures.removeFirst() }
    }

    /// Whether the content is the one that failed last.
    func hasFailed(_ content: Content) -> Bool { invalidContent == content }

    /// A set has failed; nil: has succeeded.
    mutating func noteSet(_ error: GroupFileError?) {
        guard let error else { return failedSets = [] }
        failedSetCount += 1
        failedSets.append(error)
        if failedSets.count > Self.mostFailures { failedSets.removeFirst() }
    }

    /// The failed set that comes after the first `count`, if it is kept, and how many there were with it.
    func failedSet(after count: Int) -> (error: GroupFileError, count: Int)? {
        let oldest = failedSetCount - failedSets.count
        let index = max(0, count - oldest)
        return index < failedSets.count ? (failedSets[index], oldest + index + 1) : nil
    }

    static var mostFailures: Int { 16 }

    /// The number of the failure that came last; 0 before the first.
    var lastFailure: Int { failures.last?.number ?? 0 }
}
