/// Looks for the process that holds the lock of a file.
///
/// 1. It *looks again* where the last holder was found: a caller that waits in vain for a lock asks again and again.
/// 2. It *walks* all descriptors that it may examine. The kernel shows in the fdinfo of each which lock its open file
///    has.
/// 3. If that finds no holder, it *reads* /proc/locks, at most once a second: while the kernel produces that list, even
///    while it waits for the processor, no lock is taken or released on the whole machine.
struct LockSearch {
    private struct Place {
        let process: Int32
        let descriptor: String

        var link: String { "/proc/\(process)/fd/\(descriptor)" }
        var information: String { "/proc/\(process)/fdinfo/\(descriptor)" }
    }

    /// Each guarded by its own lock.
    private static let lastFound = Guarded<(place: Place, taker: Int32)?>(nil)
    private static let lastReading = Guarded<(text: String, time: Moment)?>(nil)

    private let lock: FileLock
    private let identity: FileIdentity
    /// The file's name, with which links to it end. Comparing it is cheaper than following each link, and touches no
    /// file that hangs.
    private let ending: ArraySlice<UInt8>

    init(_ lock: FileLock) throws(Errno) {
        self.lock = lock
        identity = try lock.descriptor.status().identity
        let path = try Path.linkBytes(of: "/proc/self/fd/\(lock.descriptor.rawValue)")
        ending = path[(path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)...]
    }

    func holder() throws(Errno) -> Int32? {
        if let last = Self.lastFound.withLock(\.self), try taker(at: last.place) == last.taker {
            return last.place.process
        }
        if let found = try walk() {
            Self.lastFound.withLock { $0 = found }
            return found.place.process
        }
        return try read()
    }

    // MARK: Walking

    private func walk() throws(Errno) -> (place: Place, taker: Int32)? {
        var heir: (place: Place, taker: Int32)?
        var without: [Place] = []
        for process in try Directory.names(at: "/proc").compactMap({ Int32($0) }) {
            for place in try places(of: process) {
                let taker = try taker(at: place)
                if taker == process { return (place, process) }
                // `process` has inherited the descriptor, or a child took the lock through it: `process` is the holder
                // if the taker is gone.
                if let taker { heir = (place, taker) } else { without.append(place) }
            }
        }
        if let heir { return heir }
        // The lock may have passed meanwhile to a process that was waiting for it.
        for place in without {
            if let taker = try taker(at: place) { return (place, taker) }
        }
        return nil
    }

    /// Where a process has the file open.
    private func places(of process: Int32) throws(Errno) -> [Place] {
        let links = try visible { () throws(Errno) in
            try Directory.links(at: "/proc/\(process)/fd", endingWith: ending)
        }
        return (links ?? []).map { Place(process: process, descriptor: $0) }
    }

    /// Which process took the lock that an open file has; nil if it has none, or is another file.
    private func taker(at place: Place) throws(Errno) -> Int32? {
        try visible { () throws(Errno) in
            guard try Path.status(of: place.link).identity == identity else { return nil }
            for line in try ProcessTable.text(place.information).split(separator: "\n") {
                if line.hasPrefix("lock:"), let lock = LockLine(line.drop { $0 != "\t" }.dropFirst()) {
                    return lock.taker
                }
            }
            return nil
        } ?? nil
    }

    /// Nil for a process that has ended meanwhile, or is hidden from us.
    private func visible<T>(_ look: () throws(Errno) -> T) throws(Errno) -> T? {
        do throws(Errno) {
            return try look()
        } catch {
            // No descriptor is left to look with, nor will there be one for the next process.
            if error.isWantOfDescriptors { throw error }
            return nil
        }
    }

    // MARK: Reading

    private func read() throws(Errno) -> Int32? {
        let now = Moment.now
        let isDue = Self.lastReading.withLock { last in
            if let last, now < last.time + .seconds(1) { return false }
            last = (last?.text ?? "", now)
            return true
        }
        if isDue {
            let text = try ProcessTable.text("/proc/locks")
            Self.lastReading.withLock { $0 = (text, now) }
            return try taker(in: text)
        }
        // The walk, which came after that reading, has covered all processes that are not hidden: only a hidden taker
        // counts.
        guard let taker = try taker(in: Self.lastReading.withLock { $0?.text ?? "" }), ProcessTable.isAlive(taker),
            try visible({ () throws(Errno) in try Directory.names(at: "/proc/\(taker)/fd") }) == nil
        else { return nil }
        return taker
    }

    private func taker(in text: String) throws(Errno) -> Int32? {
        let device = try ProcessTable.device(of: lock.descriptor)
        let locks = text.split(separator: "\n").lazy.compactMap(LockLine.init)
        return locks.first { $0.isOf(identity.inode, on: device) }?.taker
    }
}
