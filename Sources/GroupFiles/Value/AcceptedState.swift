import FileEvents

/// What a `GroupFile` publishes: the state that was accepted last. An object, so that it can be passed on without
/// looking up its type's metadata.
final class AcceptedState<Value: Sendable>: Sendable {
    let facts: AcceptedFacts
    let value: Value

    init(_ value: Value, _ facts: AcceptedFacts) {
        self.value = value
        self.facts = facts
    }

    /// A copy of this state with `change` applied. A method, because an object knows its own type, which any other code
    /// that makes a state would have to look up.
    @inline(never)
    func changed(_ change: (inout AcceptedFacts, _ old: Value) -> Value) -> AcceptedState {
        var facts = facts
        let value = change(&facts, value)
        return AcceptedState(value, facts)
    }
}

extension AcceptedState {
    var content: Content { facts.content }
    var status: GroupFileStatus { facts.status }
    var health: WatchHealth { facts.health }
    var isExactlyOwnEncoding: Bool { facts.isExactlyOwnEncoding }

    /// The part of it that users get.
    var summary: GroupFileState<Value> {
        GroupFileState(value: value, status: status, health: GroupFileHealth(health))
    }
}
