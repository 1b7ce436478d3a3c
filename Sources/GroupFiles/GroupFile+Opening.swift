extension GroupFile {
    /// As the public one, but where `creates` is false nothing is made until somebody writes, for writers too.
    package convenience init(
        _ name: String, in container: GroupContainer, initialValue: T, access: Access, codec: GroupCodec<T>,
        durability: Durability, maximumSize: Int = 16 << 20, lockTimeout: Duration?, creates: Bool
    ) throws(GroupFileError) {
        try ValueName.check(name, "value's name")
        try self.init(
            name, store: container.store, initialValue: initialValue, access: access, codec: codec,
            durability: durability, maximumSize: maximumSize, lockTimeout: lockTimeout, creates: creates)
    }

    /// Throws where `name` cannot be a value's.
    package static func checkName(_ name: String) throws(GroupFileError) {
        try ValueName.check(name, "value's name")
    }
}
