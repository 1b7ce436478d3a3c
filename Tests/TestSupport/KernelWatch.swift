package import SystemCalls

/// What the kernel was asked to report about a directory. It comes from /proc, not from what the library remembers.
package enum KernelWatch {
    /// All that this process asked for; nil if it does not watch the directory.
    package static func events(of path: String) throws(Errno) -> InotifyMask? {
        let identity = try Path.status(of: path).identity
        var events: InotifyMask?
        for descriptor in try Directory(path: "/proc/self/fd").names() {
            do throws(Errno) {
                guard try Path.linkTarget(of: "/proc/self/fd/\(descriptor)") == "anon_inode:inotify" else { continue }
                // inotify wd:1 ino:3df9d sdev:fe00000 mask:40003c8 …
                for line in try ProcessTable.text("/proc/self/fdinfo/\(descriptor)").split(separator: "\n") {
                    guard line.hasPrefix("inotify "), number("ino", in: line) == identity.inode,
                        let device = number("sdev", in: line), isSame(device, identity.device),
                        let mask = number("mask", in: line)
                    else { continue }
                    events = (events ?? []).union(InotifyMask(rawValue: UInt32(mask)))
                }
            } catch {
                continue  // Other tests open and close descriptors meanwhile.
            }
        }
        return events
    }

    private static func number(_ field: String, in line: Substring) -> UInt64? {
        let prefix = field + ":"
        return line.split(separator: " ").first { $0.hasPrefix(prefix) }.flatMap {
            UInt64($0.dropFirst(prefix.utf8.count), radix: 16)
        }
    }

    /// The kernel has 12 bits for the major number and 20 for the minor one; stat(2) spreads them. A file system
    /// without a device may have another number here than there.
    private static func isSame(_ kernel: UInt64, _ device: UInt64) -> Bool {
        let major = device >> 8 & 0xFFF
        let minor = device & 0xFF | device >> 12 & 0xFFF00
        return kernel == major << 20 | minor || major == 0 && kernel >> 20 == 0
    }
}
