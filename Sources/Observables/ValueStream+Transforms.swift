extension ValueStream {
    /// Each value, transformed. `transform` is called once for each value and subscription.
    public func map<Mapped: Sendable>(
        _ transform: @escaping @Sendable (Element) -> Mapped
    ) -> DerivedStream<Mapped> {
        DerivedStream { handler in
            sink { handler(transform($0)) }
        }
    }

    /// The values for which `isIncluded` holds. There is no first value until one arrives.
    public func filter(_ isIncluded: @escaping @Sendable (Element) -> Bool) -> DerivedStream<Element> {
        DerivedStream { handler in
            sink { element in
                if isIncluded(element) { handler(element) }
            }
        }
    }

    /// Leaves out values that equal the one delivered last to the same subscription.
    ///
    /// This is decided at delivery: if B and then A arrive during the call with A, nothing more is delivered. The same
    /// holds behind `sink(on:)`, `receive(on:)` and `values`, where `areEqual` is called once more. Another operator
    /// may turn different values into equal ones, so put this one last.
    public func removeDuplicates(
        by areEqual: @escaping @Sendable (Element, Element) -> Bool
    ) -> DerivedStream<Element> {
        DerivedStream(removingDuplicates: areEqual) { handler in
            sink(LastDelivered.removingDuplicates(by: areEqual, handler))
        }
    }
}

extension ValueStream where Element: Equatable {
    /// Leaves out values that equal the one delivered last to the same subscription, behind `sink(on:)`, `receive(on:)`
    /// and `values`, too. Put it last, because another operator may turn different values into equal ones.
    public func removeDuplicates() -> DerivedStream<Element> {
        removeDuplicates(by: ==)
    }
}
