/// What /proc shows of this machine and its processes.
package enum ProcessTable {
    /// A small text file of the kernel's.
    package static func text(_ path: String) throws(Errno) -> String {
        let file = try FileDescriptor.open(path, .readOnly)
        return String(decoding: try file.readToEnd(expected: 0, limit: 4 << 20), as: UTF8.self)
    }

    /// This process's number in /proc, which is not its own number if /proc is that of an outer PID namespace.
    package static func identifier() throws(Errno) -> String {
        try Path.linkTarget(of: "/proc/self")
    }

    /// Whether a directory of a /proc is about this process: `PID`, `PID/fd`, `PID/task/TID` or `PID/task/TID/fd`, by
    /// its number there.
    package static func isOwn(_ directory: String) -> Bool {
        var process = directory
        if Path.afterLastSlash(process) == "fd" { process = Path.beforeLastSlash(process) ?? "" }
        if let tasks = Path.beforeLastSlash(process), Path.afterLastSlash(tasks) == "task" {
            process = Path.beforeLastSlash(tasks) ?? ""
        }
        do throws(Errno) {
            return try Path.linkTarget(of: (Path.beforeLastSlash(process) ?? "") + "/self")
                == Path.afterLastSlash(process)
        } catch {
            return false  // This process has no number there.
        }
    }

    /// The device that an open file lies on, as the kernel names it. On btrfs, and on some overlays, stat(2) returns
    /// another one, which has to suffice if the mount is not visible from here.
    static func device(of descriptor: borrowing FileDescriptor) throws(Errno) -> DeviceNumber {
        let mount = try mount(of: descriptor)
        if let device = try mounts().first(where: { $0.identifier == mount })?.device { return device }
        return DeviceNumber(try descriptor.status().identity.device)
    }

    /// The number of the mount that an open file was found in.
    static func mount(of descriptor: borrowing FileDescriptor) throws(Errno) -> Substring? {
        try text("/proc/self/fdinfo/\(descriptor.rawValue)").split(separator: "\n")
            .first { $0.hasPrefix("mnt_id:") }?.split(separator: "\t").last
    }

    /// Whether a process of this number is alive.
    package static func isAlive(_ process: Int32) -> Bool {
        do throws(Errno) {
            _ = try Path.status(of: "/proc/\(process)")
            return true
        } catch {
            return false
        }
    }

    /// How many inotify instances and watches a user's processes hold, and how many of these processes are hidden from
    /// us and not counted, such as those that have dropped privileges.
    package static func inotifyUse(of user: UInt32) throws(Errno) -> (instances: Int, watches: Int, hidden: Int) {
        var use = (instances: 0, watches: 0, hidden: 0)
        for name in try Directory(path: "/proc").names() {
            guard let process = Int32(name) else { continue }
            do throws(Errno) {
                // Not the directory's owner: that is root if the process is hidden from its own user.
                let lines = try text("/proc/\(process)/status").split(separator: "\n")
                // Uid: real effective saved
                let users = lines.first { $0.hasPrefix("Uid:") }?.split(separator: "\t")
                guard let users, users.count > 2, users[2] == "\(user)" else { continue }
                for descriptor in try Directory(path: "/proc/\(process)/fd").names() {
                    do throws(Errno) {
                        let target = try Path.linkBytes(of: "/proc/\(process)/fd/\(descriptor)")
                        guard target.elementsEqual("anon_inode:inotify".utf8) else { continue }
                        use.instances += 1
                        let information = try text("/proc/\(process)/fdinfo/\(descriptor)")
                        use.watches += information.split(separator: "\n").count { $0.hasPrefix("inotify ") }
                    } catch .noEntry {
                        continue  // It has been closed meanwhile; the process has others.
                    }
                }
            } catch .accessDenied {
                use.hidden += 1
            } catch {
                continue  // It has ended meanwhile.
            }
        }
        return use
    }

    /// The type of the file system that a directory lies on, as mount(8) names it; nil where it is mounted in another
    /// namespace.
    package static func fileSystem(of path: String) throws(Errno) -> String? {
        let mount = try mount(of: try Directory(path: path).descriptor)
        return try mounts().first { $0.identifier == mount }?.type
    }

    /// What is mounted.
    private static func mounts() throws(Errno) -> [Mount] {
        try text("/proc/self/mountinfo").split(separator: "\n").compactMap(Mount.init)
    }
}

/// A line of /proc/self/mountinfo.
private struct Mount {
    let identifier: Substring
    let device: DeviceNumber?
    let type: String

    init?(_ line: Substring) {
        // 36 35 98:0 /root /mount/point rw,noatime master:1 - ext4 /dev/root rw
        let fields = line.split(separator: " ")
        guard fields.count > 6, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else { return nil }
        identifier = fields[0]
        let numbers = fields[2].split(separator: ":").compactMap { UInt64($0) }
        device = numbers.count == 2 ? DeviceNumber(major: numbers[0], minor: numbers[1]) : nil
        type = String(fields[dash + 1])
    }
}
