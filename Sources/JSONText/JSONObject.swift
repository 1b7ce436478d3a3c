/// The members of a JSON object in the order of the text, including those with duplicate keys.
package struct JSONObject: Sendable {
    package struct Member: Sendable {
        package let key: String
        package let value: JSONValue

        package init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    package let members: [Member]

    package init(_ members: [Member]) {
        self.members = members
    }

    /// The value of `key`, compared by Unicode scalars. Of duplicates the first wins, as with JSONDecoder.
    package subscript(key: String) -> JSONValue? {
        members.first { $0.key.hasSameScalars(as: key) }?.value
    }

    /// All members, sorted by the Unicode scalars of their keys; those that share a key stay in their order.
    var sortedMembers: [Member] {
        members.enumerated().sorted { left, right in
            if left.element.key.scalarsPrecede(right.element.key) { return true }
            return left.offset < right.offset && left.element.key.hasSameScalars(as: right.element.key)
        }
        .map(\.element)
    }

    /// The members that lookup finds, sorted by the Unicode scalars of their keys.
    ///
    /// Sorted, not hashed: no choice of keys can make it slow.
    var distinctMembers: [Member] {
        var distinct: [Member] = []
        for member in sortedMembers where distinct.last?.key.hasSameScalars(as: member.key) != true {
            distinct.append(member)
        }
        return distinct
    }
}
