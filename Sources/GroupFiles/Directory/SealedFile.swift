import SystemCalls

/// A file in the control directory, whose permissions may keep even its owner from reading it.
///
/// A new value gets the permissions of the one that it replaces. If those let nobody read it, our own values could not
/// be told from a user's content, and would take up the places in which that is kept.
enum SealedFile {
    /// The content of the file. If the file is ours, and we lack the permission to read it, that is added for the read,
    /// and taken away again.
    static func read(_ name: String, in control: Directory, limit: Int) -> Content {
        let content = RegularFile.read(name, in: control, limit: limit).content
        guard content == .unreadable(.failed(.accessDenied)) else { return content }
        do throws(Errno) {
            let status = try control.status(of: name)
            let permissions = status.permissions
            guard status.kind == .regular, status.owner == CurrentProcess.effectiveUser, permissions & 0o400 == 0 else {
                return content
            }
            try control.setPermissions(permissions | 0o400, of: name)
            let found = RegularFile.read(name, in: control, limit: limit).content
            try control.setPermissions(permissions, of: name)
            return found
        } catch {
            // It stays unread, and is kept.
            return content
        }
    }
}
