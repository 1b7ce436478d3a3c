import Glibc
import Synchronization

/// A descriptor that is open for as long as something is observed. Many programs close all descriptors that they do not
/// know, for example when they become daemons: then the number may belong to one of the program's own files, which is
/// not ours to close.
struct KeptDescriptor: ~Copyable, Sendable {
    let rawValue: Int32
    /// Descriptors without a file, such as timers, have one in common.
    private let identity: FileIdentity?
    private let serial: UInt64
    /// Which object took over each number last.
    private static let owners = Guarded((serials: [Int32: UInt64](), last: UInt64(0)))
    /// Whether an object ever got the number of another one, so that ``isOurs`` has to look.
    private static let wasReplaced = Atomic(false)

    /// Takes over a descriptor that nobody else closes.
    init(owning rawValue: Int32) {
        self.rawValue = rawValue
        identity = Self.identity(of: rawValue)
        serial = Self.owners.withLock { owners in
            owners.last += 1
            if owners.serials.updateValue(owners.last, forKey: rawValue) != nil {
                Self.wasReplaced.store(true, ordering: .relaxed)
            }
            return owners.last
        }
    }

    /// False if another object has got this one's number. Then the program has closed this one's descriptor, because
    /// the kernel gives out no number of an open one; and what is read by that number, or closed, is the other one's.
    var isOurs: Bool {
        if !Self.wasReplaced.load(ordering: .relaxed) { return true }
        let (number, own) = (rawValue, serial)
        return Self.owners.withLock { $0.serials[number] == own }
    }

    deinit {
        // In a forked child the lock may be held for ever, and exec closes the descriptor.
        if CurrentProcess.isForked { return }
        let (number, own) = (rawValue, serial)
        // Before the number is free, so that no other object can have got it.
        let isOurs = Self.owners.withLock { owners in
            guard owners.serials[number] == own else { return false }
            owners.serials[number] = nil
            return true
        }
        if isOurs, Self.identity(of: rawValue) == identity { _ = FileDescriptor(owning: rawValue) }
    }

    /// fstat(2); nil if it is not open. Tests cannot make it fail: our descriptor would then stay open.
    private static func identity(of rawValue: Int32) -> FileIdentity? {
        var raw = stat()
        return unsafe fstat(rawValue, &raw) == 0 ? FileStatus(raw).identity : nil
    }
}
