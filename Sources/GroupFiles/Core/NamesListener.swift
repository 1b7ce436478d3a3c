import SystemCalls

/// Is notified when values of a store come and go.
protocol NamesListener: AnyObject, Sendable {
    /// Values with these names, or with any name if this is nil, may have been created or removed. `isSettled`: a
    /// removed value is not about to be created again. True if anything had changed.
    @discardableResult
    func namesMayHaveChanged(_ names: Set<ExactName>?, isSettled: Bool) -> Bool
}
