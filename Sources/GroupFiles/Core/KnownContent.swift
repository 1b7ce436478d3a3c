import SystemCalls

/// What a core published last, and how the file looked when it was read. Pure.
struct KnownContent: Sendable {
    private(set) var content = Content.missing
    /// Its place in the order of publications; zero before the first.
    private(set) var number: UInt64 = 0
    /// Whether this process wrote it.
    private(set) var isOwn = false
    /// How the file looked when it was last read, however recently it had changed, and whether a file that looks like
    /// this certainly has that content. Nil if the file has not been read since we wrote it.
    private var seen: (fingerprint: Fingerprint, isProof: Bool)?

    func isNews(_ found: Content) -> Bool { found != content || number == 0 }

    /// Whether a file that looks like this surely has that content, and need not be read.
    func isProven(by fingerprint: Fingerprint) -> Bool {
        seen.map { $0.isProof && $0.fingerprint == fingerprint } ?? false
    }

    /// Whether the file looked like this when it was read last.
    func wasSeen(_ fingerprint: Fingerprint) -> Bool { seen?.fingerprint == fingerprint }

    /// The content, if it can be known without reading: the file looks as it did when last read, or we wrote it. Ask
    /// only if nobody has written under the lock since this process did.
    func content(ifStill fingerprint: Fingerprint) -> Content? {
        if let seen { return seen.fingerprint == fingerprint ? content : nil }
        guard isOwn, case .bytes(let bytes) = content, bytes.count == fingerprint.size else { return nil }
        return content
    }

    /// Notes what was read, whether it is new or not.
    mutating func noteSeen(_ fingerprint: Fingerprint?, with found: Content) {
        seen = fingerprint.map { ($0, $0.provesContent && found.isStored($0)) }
    }

    /// Publishes what was read.
    mutating func publish(_ found: Content) {
        content = found
        isOwn = false
        number += 1
    }

    /// Publishes what this process wrote. False if it equals what was known.
    mutating func publishOwn(_ new: Content) -> Bool {
        seen = nil
        if new == content { return false }
        content = new
        isOwn = true
        number += 1
        return true
    }
}
