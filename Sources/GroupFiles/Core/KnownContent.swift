import SystemCalls

/// What a core published last, and how the file looked when that was read. Pure.
struct KnownContent: Sendable {
    private(set) var content = Content.missing
    /// Its place in the order of publications; zero is before the first.
    private(set) var number: UInt64 = 0
    /// Whether this process wrote it.
    private(set) var isOwn = false
    /// How the file was when it was read, however young; nil where it has not been read since it was written.
    private var seen: Fingerprint?
    /// Whether a file that looks so surely has that content.
    private var isSeenProof = false

    func isNews(_ found: Content) -> Bool { found != content || number == 0 }

    /// Whether a file that looks like this surely has that content, and need not be read.
    func isProven(by fingerprint: Fingerprint) -> Bool { isSeenProof && fingerprint == seen }

    /// The content, if the file looks as it did when it was read; or if it is our own and has not been read since, where it
    /// `isOurs`: nobody else has written under the lock since then.
    func content(ifStill fingerprint: Fingerprint, isOurs: Bool) -> Content? {
        if let seen { return seen == fingerprint ? content : nil }
        guard isOurs, isOwn, case .bytes(let bytes) = content, bytes.count == fingerprint.size else { return nil }
        return content
    }

    /// This was found, news or not.
    mutating func noteSeen(_ fingerprint: Fingerprint?, with found: Content) {
        seen = fingerprint
        isSeenProof = fingerprint.map { $0.provesContent && found.isStored($0) } ?? false
    }

    /// What was found is published.
    mutating func publish(_ found: Content) {
        content = found
        isOwn = false
        number += 1
    }

    /// This process wrote it: that is published, too. False where it is what was known.
    mutating func publishOwn(_ new: Content) -> Bool {
        seen = nil
        isSeenProof = false
        if new == content { return false }
        content = new
        isOwn = true
        number += 1
        return true
    }
}
