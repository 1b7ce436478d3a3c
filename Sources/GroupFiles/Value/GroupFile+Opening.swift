extension GroupFile {
    /// For values that may be missing: if `creates` is false, nothing is created before somebody writes, even with
    /// write access.
    package convenience init(
        _ name: String, in container: GroupContainer, initialValue: T, access: Access = .readWrite,
        codec: GroupCodec<T>, durability: Durability = .consistent, maximumSize: Int = 16 << 20,
        lockTimeout: Duration? = nil, creates: Bool
    ) throws(GroupFileError) {
        try ValueName.check(name)
        try GroupFileError.refuseForked()
        self.init(
            name, store: container.store, initialValue: initialValue,
            access: container.access == .readOnly ? .readOnly : access, codec: codec, durability: durability,
            maximumSize: maximumSize, lockTimeout: lockTimeout)
        if creates { try createIfMissing() }
    }
}
