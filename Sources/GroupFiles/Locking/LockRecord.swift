import SystemCalls

/// What the first line of a lock file says, as far as is known: which temporary files may be there. Pure.
///
/// The last one that was made comes first; then those that could not be swept, so that nobody forgets them.
package struct LockRecord: Sendable {
    /// The greatest length of the line, which is less than the size that marks a file; see ``LockTurns/markedSize``.
    package static let longest = 1000
    /// No name contains it.
    private static let separator = UInt8(ascii: "/")

    /// The temporary files that it names.
    private var last = ""
    private var others: [String] = []
    /// Those that the line should name besides our own.
    private var unswept: [String] = []
    /// How the lock file looked when its line was read; nil once this process has written the line.
    private var status: Fingerprint?
    /// Whether nobody else has made a temporary file since ours was the last one.
    private(set) var isUndisturbed = false

    /// Whether a lock file may begin like this.
    static func isRecord(_ start: [UInt8]) -> Bool {
        let line = start.prefix { $0 != UInt8(ascii: "\n") }
        if line.count == start.count { return start.allSatisfy { $0 == 0 } }
        return line.suffix(ControlName.temporarySuffix.utf8.count).elementsEqual(ControlName.temporarySuffix.utf8)
    }

    /// The temporary files that a lock file names, if it begins like this.
    private static func temporaries(in start: [UInt8]) -> [String] {
        let line = start.prefix { $0 != UInt8(ascii: "\n") }
        // What was cut off, or is not UTF-8, names no temporary file of ours.
        if line.count == start.count { return [] }
        let names = line.split(separator: separator, omittingEmptySubsequences: false).map {
            String(validating: $0, as: UTF8.self) ?? ""
        }
        return names.allSatisfy { $0.hasSuffix(ControlName.temporarySuffix) } ? names : []
    }

    /// What a holder who was killed may have left, if its lock file begins like this.
    package static func leftovers(namedIn start: [UInt8]) -> [String] {
        temporaries(in: start).flatMap { [$0, ControlName.old(beside: $0)] }
    }

    /// The line that names this temporary file, and as many of those that could not be swept as it has room for.
    func line(naming own: String) -> [UInt8] {
        var line = Array(own.utf8)
        for name in unswept where line.count + name.utf8.count + 2 <= Self.longest {
            line.append(Self.separator)
            line.append(contentsOf: name.utf8)
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// Whether the line names this temporary file, and then exactly those that could not be swept.
    func names(_ own: String) -> Bool {
        isLast(own) && others.elementsEqual(unswept) { ExactName($0) == ExactName($1) }
    }

    private func isLast(_ own: String) -> Bool { ExactName(last) == ExactName(own) }

    /// Notes how the lock file looks. True if it certainly still names our temporary file, and need not be read.
    mutating func noteLook(_ status: Fingerprint, own: String) -> Bool {
        // A name that has been retired since is not ours any more.
        isUndisturbed = self.status == status && isLast(own)
        return isUndisturbed
    }

    /// Notes how the lock file begins. Returns the length of its line, and what killed holders may have left.
    mutating func noteRead(_ start: [UInt8], _ status: Fingerprint, own: String) -> (length: Int, left: [String]) {
        let end = start.firstIndex(of: UInt8(ascii: "\n"))
        var found = Self.temporaries(in: start)
        last = found.isEmpty ? "" : found.removeFirst()
        others = found
        isUndisturbed = isLast(own)
        // Comparing a string with itself is fastest.
        if isUndisturbed { last = own }
        self.status = status
        return (end.map { $0 + 1 } ?? 0, isUndisturbed || last.isEmpty ? others : [last] + others)
    }

    /// Notes which of the files that were left could not be swept.
    mutating func noteUnswept(_ left: [String]) {
        unswept = left
    }

    /// Notes that the line that names this temporary file was written. How the lock file looks now is not known.
    mutating func noteWritten(_ own: String) {
        (last, others) = (own, unswept)
        status = nil
    }
}
