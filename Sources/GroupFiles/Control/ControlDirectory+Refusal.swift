import SystemCalls

extension ControlDirectory {
    /// Why the control directory, or a lock in it, cannot be used, and what to do about it.
    package struct Refusal {
        package let cause: String
        package let cure: String

        var advice: String { "\(cause): \(cure)" }
    }

    /// Why the control directory keeps us from a value's lock, and what to do about it: something else is in its place,
    /// or in that of the lock, or another user created one of them for that user alone. Nil if no such reason is found.
    package static func refusal(in directory: String, of value: String?) -> Refusal? {
        do throws(Errno) {
            let container = try Path.status(of: directory)
            if let refusal = try refusal(in: directory, container) { return refusal }
            guard let value else { return nil }
            if let obstacle = try obstacle(in: directory, ofLock: value) { return obstacle }
            return try refusal(in: directory, container, ofLock: value)
        } catch {
            return nil
        }
    }

    private static func refusal(
        in directory: String, _ container: FileStatus
    ) throws(Errno) -> Refusal? {
        let path = directory + "/" + name
        let status = try Path.linkStatus(of: path)
        if status.kind != .directory {
            return Refusal(
                cause: "\(path) is not a directory", cure: "move it away; the next write makes the directory")
        }
        if status.identity.device != container.identity.device {
            return Refusal(
                cause: "\(path) is on another file system than \(directory)", cure: "unmount what is mounted there")
        }
        if try Path.isMountPoint(path) {
            return Refusal(cause: "\(path) is mounted by itself", cure: "unmount it")
        }
        if status.owner == CurrentProcess.effectiveUser { return nil }
        let isTrap = Self.isTrap(ownedBy: status.owner, in: container.permissions, of: container.owner)
        // In a container that is shared with a group, the control directory has to be that group's, too.
        let isShared =
            Sharing(permissions: container.permissions) == .group
            ? status.permissions & 0o070 == 0o070 && status.group == container.group
            : status.permissions & 0o077 != 0
        if isShared, !isTrap { return nil }
        let cure: String
        if container.owner == CurrentProcess.effectiveUser, status.owner == 0 || container.permissions & 0o022 == 0 {
            cure = giveBack(path.quotedForShell, to: container, options: "-R ")
        } else if container.permissions & 0o002 != 0 {
            // Mode 2770 would shut out the others, who may write here now.
            cure = "keep values in a directory of your own, or in one that is shared with a group (mode 2770)"
        } else if try !Path.mayWrite(in: directory) {
            // Sharing the directory would shut out those who can only look, and its group need not be one that this
            // user is in.
            cure = "you have only read access to \(directory); keep your values in a directory of your own"
        } else {
            let group = status.group == container.group ? "" : "chgrp \(container.group) \(path.quotedForShell); "
            cure =
                "share the directory with its group (\(group)chmod 2770 \(directory.quotedForShell) "
                + "\(path.quotedForShell)), or keep values in a directory of your own"
        }
        let cause =
            isTrap
            ? "\(path) belongs to user \(status.owner), who could exchange what root writes" : alone(path, status)
        return Refusal(cause: cause, cure: cure)
    }

    /// A refusal if what is in the place of a lock file, or of its turn file, is not such a file.
    private static func obstacle(in directory: String, ofLock value: String) throws(Errno) -> Refusal? {
        for file in [ControlName.lock(ofValue: value), ControlName.turn(ofValue: value)] {
            let path = "\(directory)/\(name)/\(file)"
            do throws(Errno) {
                let status = try Path.linkStatus(of: path)
                let remedy = "move it away; the next write makes the file"
                if status.kind != .regular { return Refusal(cause: "\(path) is not a file", cure: remedy) }
                if try FileLock.isAnothers(FileDescriptor.open(path, [.readOnly, .nonBlocking]), status) {
                    return Refusal(cause: "\(path) is a hard link of another file", cure: remedy)
                }
            } catch .noEntry {
            } catch .accessDenied {}
        }
        return nil
    }

    /// Why a lock file of another user is in the way: root made it in a directory of ours, or it is older than the
    /// sharing of its directory. In the latter case the next write by the lock's owner shares the lock with the group,
    /// but not the value.
    private static func refusal(
        in directory: String, _ container: FileStatus, ofLock value: String
    ) throws(Errno) -> Refusal? {
        let isShared = Sharing(permissions: container.permissions) == .group
        guard isShared || container.owner == CurrentProcess.effectiveUser else { return nil }
        let path = "\(directory)/\(name)/\(ControlName.lock(ofValue: value))"
        guard let status = try unshared(path, container) else { return nil }
        var paths = [path]
        for other in ["\(directory)/\(name)/\(ControlName.turn(ofValue: value))", "\(directory)/\(value)"] {
            do throws(Errno) {
                if try unshared(other, container) != nil { paths.append(other) }
            } catch .noEntry {}
        }
        let words = paths.map(\.quotedForShell).joined(separator: " ")
        return Refusal(
            cause: alone(path, status),
            cure: isShared
                ? "share the value with the directory's group (chgrp \(container.group) \(words); chmod g+rw \(words))"
                : giveBack(words, to: container)
        )
    }

    private static func giveBack(_ words: String, to container: FileStatus, options: String = "") -> String {
        "give it to the directory's owner (sudo chown \(options)\(container.owner) \(words))"
    }

    /// The status of the file if it is another user's regular file that the container's group may not use; otherwise
    /// nil.
    private static func unshared(_ path: String, _ container: FileStatus) throws(Errno) -> FileStatus? {
        let status = try Path.linkStatus(of: path)
        if status.kind != .regular || status.owner == CurrentProcess.effectiveUser { return nil }
        return status.permissions & 0o060 == 0o060 && status.group == container.group ? nil : status
    }

    private static func alone(_ path: String, _ status: FileStatus) -> String {
        "\(path) belongs to user \(status.owner) alone"
    }
}
