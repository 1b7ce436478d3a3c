extension String {
    /// Whether both have the same Unicode scalars. `==` also equates canonically equivalent strings, JSON does not.
    package func hasSameScalars(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// Whether this sorts before `other` by Unicode scalars, whose order is that of their UTF-8.
    package func scalarsPrecede(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}
