import FileEvents

/// What a `GroupFile` tells its subscribers: what was accepted last. An object, so that it is handed on without its
/// type's metadata being asked for.
final class AcceptedState<Value: Sendable>: Sendable {
    let facts: AcceptedFacts
    let value: Value

    init(_ value: Value, _ facts: AcceptedFacts) {
        self.value = value
        self.facts = facts
    }

    /// Another one of its type: an object knows that, and whoever else made one would have to look it up.
    @inline(never)
    func replaced(by value: Value, _ facts: AcceptedFacts) -> AcceptedState { AcceptedState(value, facts) }
}

extension AcceptedState {
    var order: UInt64 { facts.order }
    var content: Content { facts.content }
    var status: GroupFileStatus { facts.status }
    var invalidContent: Content? { facts.invalidContent }
    var health: WatchHealth { facts.health }
    var isOwn: Bool { facts.isOwn }
    var isExactlyOwnEncoding: Bool { facts.isExactlyOwnEncoding }
    var failedSet: GroupFileError? { facts.failedSet }
    var failedSets: Int { facts.failedSets }
}
