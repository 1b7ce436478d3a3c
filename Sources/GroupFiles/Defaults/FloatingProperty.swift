/// Tells which of the types that a property list may contain can hold floating-point numbers: such numbers themselves,
/// and arrays and dictionaries of such.
enum FloatingProperty {
    static func isIn(_ type: any Any.Type) -> Bool {
        if let list = type as? any PropertyList.Type { return isIn(list.element) }
        return type is any BinaryFloatingPoint.Type
    }
}

private protocol PropertyList {
    static var element: any Any.Type { get }
}

extension Array: PropertyList {
    fileprivate static var element: any Any.Type { Element.self }
}

extension Dictionary: PropertyList where Key == String {
    fileprivate static var element: any Any.Type { Value.self }
}

extension Optional: PropertyList {
    fileprivate static var element: any Any.Type { Wrapped.self }
}
