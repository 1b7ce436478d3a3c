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

    /// What `change` makes of it. An object knows its type, which whoever else made another one would have to look up.
    @inline(never)
    func changed(_ change: (inout AcceptedFacts, _ old: Value) -> Value) -> AcceptedState {
        var facts = facts
        let value = change(&facts, value)
        return AcceptedState(value, facts)
    }
}

extension AcceptedState {
    var order: UInt64 { facts.order }
    var content: Content { facts.content }
    var status: GroupFileStatus { facts.status }
    var health: WatchHealth { facts.health }
    var isOwn: Bool { facts.isOwn }
    var isExactlyOwnEncoding: Bool { facts.isExactlyOwnEncoding }
    var failedSet: GroupFileError? { facts.failedSet }
}
