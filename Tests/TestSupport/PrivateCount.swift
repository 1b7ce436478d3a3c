package import Testing

/// How many elements a private collection of a value has: tests see from outside what the value does, but not how much
/// it keeps.
package func privateCount(
    of name: String, in value: Any, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Int {
    let collection = Mirror(reflecting: value).children.first { $0.label == name }?.value
    return Mirror(reflecting: try #require(collection, sourceLocation: sourceLocation)).children.count
}
