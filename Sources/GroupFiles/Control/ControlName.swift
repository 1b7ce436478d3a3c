/// What a file in `.groupfile` is, by its name: for the code that creates such files, and for the code that looks
/// through them.
package enum ControlName: Equatable, Sendable {
    case lock(of: String)
    /// A waiter takes this before it waits for the lock.
    case turn(of: String)
    /// A writer's temporary file for a value, or what it displaced; nil if the name does not tell which.
    case temporary(of: String?)
    /// Content that was kept for its user.
    case rejected(of: String)

    private static let lockSuffix = ".lock"
    private static let turnSuffix = ".turn"
    private static let rejectedSuffix = ".rejected"
    private static let oldSuffix = ".old"
    static let temporarySuffix = ".tmp"

    /// Nil if it is none of these.
    package init?(_ fileName: String) {
        if let value = Self.stem(of: fileName, Self.lockSuffix) {
            self = .lock(of: value)
        } else if let value = Self.stem(of: fileName, Self.turnSuffix) {
            self = .turn(of: value)
        } else if let start = Self.stem(of: Self.stem(of: fileName, Self.oldSuffix) ?? fileName, Self.temporarySuffix) {
            let dot = start.utf8.lastIndex(of: UInt8(ascii: "."))
            self = .temporary(of: dot.map { String(start[..<$0]) })
        } else if let value = Self.stem(of: Self.withoutNumber(fileName), Self.rejectedSuffix) {
            self = .rejected(of: value)
        } else {
            return nil
        }
    }

    package static func lock(ofValue name: String) -> String { name + lockSuffix }
    static func turn(ofValue name: String) -> String { name + turnSuffix }
    /// The second name of an old value while it is being replaced, on a file system that cannot exchange names.
    static func old(beside temporary: String) -> String { temporary + oldSuffix }

    /// Where rejected content of a value is kept.
    static func rejected(ofValue name: String) -> [String] {
        [name + rejectedSuffix] + (1...9).map { "\(name)\(rejectedSuffix).\($0)" }
    }

    private static func withoutNumber(_ fileName: String) -> String {
        let end = fileName.utf8.suffix(2)
        let isNumbered = end.first == UInt8(ascii: ".") && end.last.map { (0x31...0x39).contains($0) } == true
        return isNumbered ? String(fileName.dropLast(2)) : fileName
    }

    /// Compares bytes: a dot can be part of the character before it, as after an Arabic number sign.
    private static func stem(of fileName: String, _ suffix: String) -> String? {
        let (name, suffix) = (fileName.utf8, suffix.utf8)
        guard name.suffix(suffix.count).elementsEqual(suffix) else { return nil }
        return String(Substring(name.dropLast(suffix.count)))
    }
}
