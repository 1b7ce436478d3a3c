import SystemCalls

extension ControlDirectory {
    /// Why it does not let us at the lock of a value, and what to do, where that is because another user made it, or the
    /// lock, for himself.
    package static func refusal(in directory: String, of value: String?) -> (cause: String, cure: String)? {
        do throws(Errno) {
            let container = try Path.status(of: directory)
            if let refusal = try refusal(in: directory, container) { return refusal }
            return try value.flatMap { name throws(Errno) in try refusal(in: directory, container, ofLock: name) }
        } catch {
            return nil
        }
    }

    private static func refusal(
        in directory: String, _ container: FileStatus
    ) throws(Errno) -> (cause: String, cure: String)? {
        let path = directory + "/" + name
        let status = try Path.linkStatus(of: path)
        if status.kind != .directory || status.owner == CurrentProcess.effectiveUser { return nil }
        if status.permissions & 0o077 != 0 { return nil }
        let cure: String
        if container.permissions & 0o002 != 0 {
            // Shared with a group it would be taken from the others.
            cure = "keep values in a directory of your own, or in one that is shared with a group (mode 2770)"
        } else {
            let group = status.group == container.group ? "" : "chgrp \(container.group) \(path.quotedForShell); "
            cure =
                "share the directory with its group (\(group)chmod 2770 \(directory.quotedForShell) "
                + "\(path.quotedForShell)), or keep values in a directory of your own"
        }
        return (alone(path, status), cure)
    }

    /// Of a lock that is older than the sharing of its directory: its owner's next write opens it to the group, too, but
    /// not the value.
    private static func refusal(
        in directory: String, _ container: FileStatus, ofLock value: String
    ) throws(Errno) -> (cause: String, cure: String)? {
        guard Sharing(permissions: container.permissions) == .group else { return nil }
        let path = "\(directory)/\(name)/\(ControlName.lock(ofValue: value))"
        guard let status = try unshared(path, container) else { return nil }
        var paths = [path]
        for other in ["\(directory)/\(name)/\(ControlName.turn(ofValue: value))", "\(directory)/\(value)"] {
            do throws(Errno) {
                if try unshared(other, container) != nil { paths.append(other) }
            } catch .noEntry {}
        }
        let words = paths.map(\.quotedForShell).joined(separator: " ")
        return (
            alone(path, status),
            "share the value with the directory's group (chgrp \(container.group) \(words); chmod g+rw \(words))"
        )
    }

    /// Nil where it is no other user's file, or where the container's group may use it.
    private static func unshared(_ path: String, _ container: FileStatus) throws(Errno) -> FileStatus? {
        let status = try Path.linkStatus(of: path)
        if status.kind != .regular || status.owner == CurrentProcess.effectiveUser { return nil }
        return status.permissions & 0o060 == 0o060 && status.group == container.group ? nil : status
    }

    private static func alone(_ path: String, _ status: FileStatus) -> String {
        "\(path) belongs to user \(status.owner) alone"
    }
}
