/// A flock(2) lock as proc_locks(5) shows it: in /proc/locks, and in the fdinfo of a descriptor that has it.
struct LockLine {
    /// The process that took the lock. It may have passed the lock on to a child since, and ended. 0 if it is not
    /// visible from here.
    let taker: Int32
    private let place: [Substring]

    init?(_ line: Substring) {
        // 1: FLOCK  ADVISORY  WRITE 1234 08:01:56789 0 EOF; a waiter's line has an arrow after the number.
        let fields = line.split(separator: " ")
        guard fields.count >= 6, fields[1] == "FLOCK", let taker = Int32(fields[4]) else { return nil }
        self.taker = taker
        place = fields[5].split(separator: ":")
    }

    func isOf(_ inode: UInt64, on device: DeviceNumber) -> Bool {
        place.count == 3 && UInt64(place[0], radix: 16) == device.major
            && UInt64(place[1], radix: 16) == device.minor && UInt64(place[2]) == inode
    }
}
