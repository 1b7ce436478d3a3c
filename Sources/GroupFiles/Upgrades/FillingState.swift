/// What is known about one place, and the places in it, from one attempt to decode to the next.
///
/// Something missing is filled only if decoding failed because of it. A type can do without what it requests with
/// `try?`; that stays missing, unless nothing else helps. Used by one thread only.
final class FillingState {
    /// How many keys of an object are filled one by one: each takes another attempt, which decodes all before it once
    /// more.
    private static let mostAttempts = 256

    private var nested: [String: FillingState] = [:]
    /// Whether the initial value has what is missing here.
    private var isFillable = false
    private var isFilled = false
    /// How many attempts failed because something is missing in here.
    private var attempts = 0
    /// Whether everything that is missing in here is filled.
    private var isFilledWhole: Bool { attempts > Self.mostAttempts }
    /// What an attempt decoded here, as a ``DecodedValue``: the next attempt need not decode it again.
    var decoded: AnyObject?

    /// The state of the root, with one place filled from the start.
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

    /// Notes that the initial value has what is missing at a key. True if it is to be taken from there.
    func fills(_ key: some CodingKey) -> Bool {
        let state = self[key]
        state.isFillable = true
        return isFilledWhole || state.isFilled
    }

    /// Fills what an error reports as missing. If the initial value does not have it, fills whatever else the type
    /// requested in the same object: an older name of the same thing, say. False if there is nothing left to fill.
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
