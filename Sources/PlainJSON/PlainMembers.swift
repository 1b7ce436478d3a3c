/// A member of an object that is being written: where it is, and where its key ends.
struct PlainMember {
    let start: Int
    let keyEnd: Int
    var end = 0

    /// The key without its quotes.
    var key: Range<Int> { start + 1..<keyEnd - 1 }
}

/// The members of the objects that are being written, those of the innermost last.
@safe final class PlainMembers {
    private var members: UnsafeMutableBufferPointer<PlainMember>
    private(set) var count = 0

    init() {
        unsafe members = UnsafeMutableBufferPointer(start: nil, count: 0)
    }

    deinit {
        unsafe members.deallocate()
    }

    subscript(index: Int) -> PlainMember { unsafe members[index] }

    func append(_ member: PlainMember) {
        if unsafe count == members.count { grow() }
        unsafe members[count] = member
        count += 1
    }

    private func grow() {
        let larger = UnsafeMutableBufferPointer<PlainMember>.allocate(capacity: max(8, 2 * count))
        _ = unsafe larger.update(fromContentsOf: members)
        unsafe members.deallocate()
        unsafe members = larger
    }

    func removeAll(from first: Int) {
        count = first
    }

    /// Puts the members from `first` on into the order of their keys, and forgets them. False if two have the same
    /// name: the last one would win.
    func sort(from first: Int, in text: PlainText) -> Bool {
        if first == count { return true }
        var own = unsafe UnsafeMutableBufferPointer(rebasing: members[first..<count])
        removeAll(from: first)
        let start = unsafe own[0].start
        for index in own.indices {
            unsafe own[index].end = index + 1 == own.count ? text.count : own[index + 1].start - 1
        }
        var isMoved = true
        if own.count <= 16 {
            isMoved = unsafe Self.sortFew(own, text)
        } else {
            unsafe own.sort { text.precedes($0.key, $1.key) }
        }
        for index in 1..<own.count {
            if unsafe !text.precedes(own[index - 1].key, own[index].key) { return false }
        }
        if isMoved { unsafe text.arrange(own, from: start) }
        return true
    }

    private static func sortFew(_ members: UnsafeMutableBufferPointer<PlainMember>, _ text: PlainText) -> Bool {
        var isMoved = false
        for next in members.indices {
            var index = next
            while unsafe index > 0 && text.precedes(members[index].key, members[index - 1].key) {
                unsafe members.swapAt(index, index - 1)
                index -= 1
                isMoved = true
            }
        }
        return isMoved
    }
}
