import FileEvents

/// What is known about a value, whatever its type.
struct AcceptedFacts: Sendable {
    /// The number, counted from 1, of the newest of the core's offers that was accepted.
    private(set) var order: UInt64 = 0
    /// The number of the offer that the value is from: a newer offer may not be a value.
    private(set) var valueOrder: UInt64 = 0
    /// The content that the value was decoded from: "missing" for the initial value.
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
    /// Why sets by a ``GroupValue``, which cannot throw, have failed since one succeeded: the newest errors, oldest
    /// first.
    private(set) var failedSets: [GroupFileError] = []
    /// How many sets have ever failed, so that the same failure counts as another one when it happens again.
    private(set) var failedSetCount = 0

    /// Records that the value is now that of this content, which was offered as `order`.
    mutating func accept(_ content: Content, _ status: GroupFileStatus, isOwn: Bool, _ order: UInt64) {
        if content != self.content { exchanges += 1 }
        self.content = content
        self.isOwn = isOwn
        isExactlyOwnEncoding = false
        valueOrder = order
        // A newer offer that was not a value is still what the file holds.
        if order < self.order { return }
        acceptances += 1
        self.order = order
        self.status = status
        invalidContent = nil
    }

    /// Records that what was offered as `order` is not a value, for this reason. The value stays what it is.
    mutating func fail(_ error: GroupFileError, _ order: UInt64) {
        self.order = order
        status = .invalid(error)
        isExactlyOwnEncoding = false
    }

    /// Adds a failure for readers of `failures`. Called once the writer of the content is surely done.
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

    /// Records that a set has failed or, with nil, that one has succeeded.
    mutating func noteSet(_ error: GroupFileError?) {
        guard let error else { return failedSets = [] }
        failedSetCount += 1
        failedSets.append(error)
        if failedSets.count > Self.mostFailures { failedSets.removeFirst() }
    }

    /// The oldest failed set that is still kept and is not among the first `count`, and how many there had been,
    /// including that one.
    func failedSet(after count: Int) -> (error: GroupFileError, count: Int)? {
        let oldest = failedSetCount - failedSets.count
        let index = max(0, count - oldest)
        return index < failedSets.count ? (failedSets[index], oldest + index + 1) : nil
    }

    static var mostFailures: Int { 16 }

    /// The number of the failure that came last; 0 before the first.
    var lastFailure: Int { failures.last?.number ?? 0 }
}
