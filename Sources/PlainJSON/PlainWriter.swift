/// A value that is being encoded, and whether there is doubt about it.
///
/// 1. A value's `encode(to:)` *enters* a place of its own, and leaves it when it returns; only the innermost place is
///    written to.
/// 2. Scalars and members are *written* in the order in which they come.
/// 3. When an object is left, its members are *sorted*.
/// 4. What `JSONEncoder` might do differently is *noted* as doubt; the text is then discarded.
///
/// Owned by one call of `encode`, so it needs no lock.
final class PlainWriter {
    private enum Kind { case none, scalar, array, object }

    /// What one `encode(to:)`, or one nested container, writes.
    private struct Place {
        let id: Int
        /// Whether it is left as soon as the place around it is written to again.
        var isNested = false
        var kind = Kind.none
        var count = 0
        /// The index of its first member in `members`.
        var firstMember = 0
    }

    private static let deepest = 32
    /// Stands for no place: writing to it causes doubt.
    static let nowhere = -1

    private let text = PlainText()
    private var place = Place(id: 0)
    private var outer: [Place] = []
    private var depth = 0
    private var places = 0
    private let members = PlainMembers()
    private(set) var isInDoubt = false

    func noteDoubt() {
        isInDoubt = true
    }

    func line() -> [UInt8]? {
        isInDoubt ? nil : text.line()
    }

    // MARK: Places

    func openObject(_ id: Int) { open(.object, UInt8(ascii: "{"), id) }

    func openArray(_ id: Int) { open(.array, UInt8(ascii: "["), id) }

    private func open(_ kind: Kind, _ bracket: UInt8, _ id: Int) {
        guard isAt(id), place.kind == .none || place.kind == kind else { return noteDoubt() }
        if place.kind == kind { return }
        text.put(bracket)
        place.kind = kind
        place.firstMember = members.count
    }

    func count(_ id: Int) -> Int {
        if !isAt(id) { noteDoubt() }
        return place.count
    }

    /// Writes a member's key; must be called before its value is written. False if the member cannot be written.
    func member(_ key: String, _ id: Int) -> Bool {
        guard isAt(id), place.kind == .object, !isInDoubt else { return refused() }
        if place.count > 0 { text.put(UInt8(ascii: ",")) }
        let start = text.count
        guard text.put(quoted: key, isKey: true) else { return refused() }
        members.append(PlainMember(start: start, keyEnd: text.count))
        text.put(UInt8(ascii: ":"))
        place.count += 1
        return true
    }

    func element(_ id: Int) -> Bool {
        guard isAt(id), place.kind == .array, !isInDoubt else { return refused() }
        if place.count > 0 { text.put(UInt8(ascii: ",")) }
        place.count += 1
        return true
    }

    /// Must be called before the one value of a place is written; false if it cannot be written.
    func single(_ id: Int) -> Bool {
        guard isAt(id), place.kind == .none, !isInDoubt else { return refused() }
        place.kind = .scalar
        return true
    }

    private func refused() -> Bool {
        noteDoubt()
        return false
    }

    /// Whether this is the innermost place, once the places nested in it are left.
    private func isAt(_ id: Int) -> Bool {
        while place.id != id, place.isNested { leave() }
        return place.id == id
    }

    /// Enters a place for the next value. It can be written to until the place around it is written to again.
    func nest() -> Int {
        enter(isNested: true) ? place.id : Self.nowhere
    }

    private func enter(isNested: Bool = false) -> Bool {
        guard depth < Self.deepest else { return refused() }
        if depth > 0 { outer.append(place) }
        depth += 1
        places += 1
        place = Place(id: places, isNested: isNested)
        return true
    }

    // MARK: Values

    func null() { text.put("null") }
    func bool(_ value: Bool) { value ? text.put("true") : text.put("false") }

    func integer(_ value: some FixedWidthInteger) {
        text.put(UInt64(truncatingIfNeeded: value.magnitude), isNegative: value < 0)
    }

    func string(_ value: String) {
        if !text.put(quoted: value) { noteDoubt() }
    }

    func double(_ value: Double) {
        if value.magnitude < 1e15, let whole = Int(exactly: value), whole != 0 { return integer(whole) }
        if !value.isFinite || !text.put(description: value.description) { noteDoubt() }
    }

    func float(_ value: Float) {
        if !value.isFinite || !text.put(description: value.description) { noteDoubt() }
    }

    func value<T: Encodable>(_ value: T) throws {
        if PlainTypes.isSpecial(T.self) { return noteDoubt() }
        guard enter() else { return }
        defer {
            while place.isNested { leave() }
            leave()
        }
        do {
            try value.encode(to: PlainEncoder(writer: self, place: place.id))
        } catch {
            noteDoubt()  // A caller that catches the error goes on without the value.
            throw error
        }
    }

    private func leave() {
        switch place.kind {
        case .none: noteDoubt()
        case .scalar: break
        case .array: text.put(UInt8(ascii: "]"))
        case .object:
            if isInDoubt {
                members.removeAll(from: place.firstMember)
            } else if !members.sort(from: place.firstMember, in: text) {
                noteDoubt()
            }
            text.put(UInt8(ascii: "}"))
        }
        depth -= 1
        place = depth == 0 ? Place(id: 0) : outer.removeLast()
    }

    // MARK: Path

    /// The path of the innermost place. Its keys are not the type's own.
    var codingPath: [any CodingKey] {
        noteDoubt()
        var path: [any CodingKey] = []
        var end = place.kind == .object ? place.firstMember : members.count
        for container in outer.reversed() {
            switch container.kind {
            case .object:
                path.append(AnyKey(text[members[end - 1].key]))
                end = container.firstMember
            case .array: path.append(AnyKey(index: container.count - 1))
            case .none, .scalar: break
            }
        }
        return path.reversed()
    }
}
