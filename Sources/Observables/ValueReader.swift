/// Something that gives elements to one task, one after the other; the inside of an asynchronous iterator.
package protocol ValueReader<Element> {
    associatedtype Element: Sendable

    /// The next element; nil once the task is cancelled, and for ever after.
    mutating func next(isolation: isolated (any Actor)?) async -> Element?
}
