import SystemCalls

/// What a subscription delivered last.
///
/// 1. **look** at it, under the lock. 2. **compare** outside: calls come one at a time, so it does not change.
/// 3. **store**.
package final class LastDelivered<Element: Sendable>: Sendable {
    /// Guarded by its lock.
    private let element = Guarded<Element?>(nil)

    package init() {}

    /// Stores the element if it differs from the last one, and returns whether it does. Calls must come one at a time.
    package func replace(with new: Element, unless areEqual: (Element, Element) -> Bool) -> Bool {
        let last = element.withLock { $0 }
        if let last, areEqual(last, new) { return false }
        element.withLock { $0 = new }  // `last` still holds the old one, so that it is released after the lock.
        return true
    }

    /// The handler of one subscription, called with new elements only.
    static func removingDuplicates(
        by areEqual: @escaping @Sendable (Element, Element) -> Bool, _ handler: @escaping @Sendable (Element) -> Void
    ) -> @Sendable (Element) -> Void {
        let last = LastDelivered()
        return { element in
            if last.replace(with: element, unless: areEqual) { handler(element) }
        }
    }
}
