import SystemCalls

/// What the first line of a lock file says, as far as is known: the last temporary file that was made. Pure.
package struct LockRecord: Sendable {
    /// A line is no longer than this.
    package static let longest = 256

    /// The temporary file that it names.
    private var name = ""
    /// How the file looked when that was read, if nobody has changed it since.
    private var status: Fingerprint?
    /// Nobody else has made a temporary file since ours was the last one.
    private(set) var isUndisturbed = false

    static func line(naming own: String) -> [UInt8] { Array((own + "\n").utf8) }

    /// Whether a lock file may begin like this.
    static func isRecord(_ start: [UInt8]) -> Bool {
        let line = start.prefix { $0 != UInt8(ascii: "\n") }
        if line.count == start.count { return start.allSatisfy { $0 == 0 } }
        return line.suffix(ControlName.temporarySuffix.utf8.count).elementsEqual(ControlName.temporarySuffix.utf8)
    }

    /// The temporary file that a lock file names, if it begins like this; nil for none.
    private static func temporary(in start: [UInt8]) -> String? {
        let line = start.prefix { $0 != UInt8(ascii: "\n") }
        // What was cut off, or is not UTF-8, names no temporary file of ours.
        guard line.count < start.count, let name = String(validating: line, as: UTF8.self),
            name.hasSuffix(ControlName.temporarySuffix), !Path.hasSlash(name)
        else { return nil }
        return name
    }

    /// What a holder who was killed may have left, if its lock file begins like this.
    package static func leftovers(namedIn start: [UInt8]) -> [String] {
        temporary(in: start).map { [$0, ControlName.old(beside: $0)] } ?? []
    }

    func names(_ own: String) -> Bool { ExactName(name) == ExactName(own) }

    /// The file looks like this. True if it surely still names our temporary file, and need not be read.
    mutating func noteLook(_ status: Fingerprint, own: String) -> Bool {
        // A name that has been retired since is not ours any more.
        isUndisturbed = self.status == status && names(own)
        return isUndisturbed
    }

    /// The file begins with this. Returns the length of its line, and what a killed holder may have left.
    mutating func noteRead(_ start: [UInt8], _ status: Fingerprint, own: String) -> (length: Int, left: String?) {
        let end = start.firstIndex(of: UInt8(ascii: "\n"))
        let last = Self.temporary(in: start)
        let isOwn = last.map { ExactName($0) == ExactName(own) } ?? false
        isUndisturbed = isOwn
        name = isOwn ? own : last ?? ""  // Comparing a string with itself is fastest.
        self.status = status
        return (end.map { $0 + 1 } ?? 0, isOwn ? nil : last)
    }

    /// Its line was written: how the file looks now is not known.
    mutating func noteWritten(_ own: String) {
        name = own
        status = nil
    }
}
