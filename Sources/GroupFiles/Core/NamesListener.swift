import SystemCalls

/// Who is told which values of a store come and go.
protocol NamesListener: AnyObject, Sendable {
    /// Values of these names, or of any names if it is nil, may have been created or removed. `isSettled`: a removed
    /// one is not about to be created again. True if something had changed.
    @discardableResult
    func namesMayHaveChanged(_ names: Set<ExactName>?, isSettled: Bool) -> Bool
}
