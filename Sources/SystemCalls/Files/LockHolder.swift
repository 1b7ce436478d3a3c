/// Who holds a lock, as /proc/locks tells.
package struct LockHolder: Sendable {
    package let process: Int32
    /// The program's name, where it can be read.
    package let program: String?

    static func look(for inode: UInt64, on device: DeviceNumber) throws(Errno) -> LockHolder? {
        for line in try ProcessTable.text("/proc/locks").split(separator: "\n") {
            // 1: FLOCK  ADVISORY  WRITE 1234 08:01:56789 0 EOF; a waiter's line has an arrow after the number.
            let fields = line.split(separator: " ")
            guard fields.count >= 6, fields[1] == "FLOCK", let process = Int32(fields[4]) else { continue }
            let place = fields[5].split(separator: ":")
            guard place.count == 3, UInt64(place[0], radix: 16) == device.major,
                UInt64(place[1], radix: 16) == device.minor, UInt64(place[2]) == inode
            else { continue }
            return LockHolder(process: process, program: program(of: process))
        }
        return nil
    }

    private static func program(of process: Int32) -> String? {
        do throws(Errno) {
            return try ProcessTable.text("/proc/\(process)/comm").split(separator: "\n").first.map(String.init)
        } catch {
            return nil  // It ended meanwhile, or is hidden from us: its number has to do.
        }
    }
}
