/// What is known of one place, and of those in it, from one attempt to decode to the next.
///
/// Filled is only that for want of which decoding failed: what a type asks for with `try?` it can do without, and it stays
/// missing, unless nothing else will do. Used by one thread.
final class FillingState {
    /// So many keys of an object are filled one by one: for each it is decoded once more, with all before it.
    private static let mostAttempts = 256

    private var nested: [String: FillingState] = [:]
    /// Whether the initial value has what is missing here.
    private var isFillable = false
    private var isFilled = false
    /// How often something in here was wanted.
    private var attempts = 0
    /// Whether all that is missing in here is filled.
    private var isFilledWhole: Bool { attempts > Self.mostAttempts }
    /// What an attempt decoded here, as a ``DecodedValue``: the next one needs no second look.
    var decoded: AnyObject?

    init() {}

    /// Of the root, where one place is filled from the start.
    convenience init(filling place: [any CodingKey]) {
        self.init()
        self[place].isFilled = true
    }

    subscript(key: some CodingKey) -> FillingState {
        if let state = nested[key.stringValue] { return state }
        let state = FillingState()
        nested[key.stringValue] = state
        return state
    }

    /// Takes note that the initial value has what is missing at a key. True where it is to be taken from that.
    func fills(_ key: some CodingKey) -> Bool {
        let state = self[key]
        state.isFillable = true
        return isFilledWhole || state.isFilled
    }

    /// Fills what an error wants; where the initial value does not have it, what the type asked for beside it: an older name
    /// of the same thing, say. False where all that is filled already.
    func fill(_ error: any Error) -> Bool {
        guard let place = error.wantedPlace else { return false }
        let (object, wanted) = (self[place.dropLast()], self[place])
        if object.isFilledWhole { return false }
        object.attempts += 1
        let states = wanted.isFillable ? [wanted] : Array(object.nested.values.filter(\.isFillable))
        let unfilled = states.filter { !$0.isFilled }
        for state in unfilled { state.isFilled = true }
        return !unfilled.isEmpty
    }

    private subscript(place: some Sequence<any CodingKey>) -> FillingState { place.reduce(self) { $0[$1] } }
}

final class DecodedValue<Value> {
    let value: Value
    let requested: RequestedKeys

    init(_ value: Value, _ requested: RequestedKeys) {
        self.value = value
        self.requested = requested
    }
}
