extension GroupFile {
    /// For values that may be missing: if `creates` is false, nothing is created before somebody writes, even with
    /// write access.
    package convenience init(
        _ name: String, in container: GroupContainer, initialValue: T, codec: GroupCodec<T>,
        options: GroupFileOptions, creates: Bool
    ) throws(GroupFileError) {
        try ValueName.check(name)
        try GroupFileError.refuseForked()
        var options = options
        if container.access == .readOnly { options.access = .readOnly }
        self.init(name, store: container.store, initialValue: initialValue, codec: codec, options: options)
        if creates { try createIfMissing() }
    }
}
