import FoundationEssentials

extension GroupContainer {
    /// The names of the values: the current ones, then each change. Each access creates a separate observable.
    public var names: ContainerNames { ContainerNames(store) }

    /// Opens a value as ``GroupFile``'s initialiser does, and creates it with `initialValue` if there is none. Pass
    /// `type` where it cannot be inferred.
    ///
    /// - Throws: `.invalidName`, or why the value cannot be created.
    public func file<T: Codable & Sendable>(
        named name: String, as type: T.Type = T.self, initialValue: T, access: Access = .readWrite,
        codec: GroupCodec<T> = .json, durability: Durability = .consistent, maximumSize: Int = 16 << 20,
        lockTimeout: Duration? = nil
    ) throws(GroupFileError) -> GroupFile<T> {
        try GroupFile(
            name, in: self, initialValue: initialValue, access: access, codec: codec, durability: durability,
            maximumSize: maximumSize, lockTimeout: lockTimeout)
    }

    /// Opens a value that may not exist, without creating it; `nil` means missing, or `null` in JSON. To delete it call
    /// `remove()`; `nil` cannot be written.
    ///
    /// - Throws: `.invalidName`.
    public func file<T: Codable & Sendable>(
        named name: String, as type: T.Type = T.self, access: Access = .readWrite, codec: GroupCodec<T> = .json,
        durability: Durability = .consistent, maximumSize: Int = 16 << 20, lockTimeout: Duration? = nil
    ) throws(GroupFileError) -> GroupFile<T?> {
        let options = GroupFileOptions(
            access: access, durability: durability, maximumSize: maximumSize, lockTimeout: lockTimeout)
        return try GroupFile(
            name, in: self, initialValue: nil, codec: codec.optional, options: options, creates: false)
    }

    /// Removes a value, whatever it holds. Does nothing if there is none. Waits for the value's lock for as long as
    /// others hold it; `GroupFile.remove()` of a value with a `lockTimeout` waits no longer than that.
    ///
    /// - Throws: `.invalidName`, `.readOnly`, `.notRegularFile`, `.nested` within an update of it, or why it cannot be
    ///   removed.
    public func removeFile(named name: String) throws(GroupFileError) {
        // The size is 0 because what is removed need not be read.
        let options = GroupFileOptions(maximumSize: 0)
        try GroupFile(name, in: self, initialValue: Data(), codec: .data, options: options, creates: false).remove()
    }
}
