import SystemCalls

/// What may be the name of a value, or a group's identifier: one path component that causes no tool trouble.
package enum ValueName {
    static let longest = 200

    /// Throws if `name` contains a `/`, NUL or another control character, begins with a dot, is empty, or has over 200
    /// bytes.
    package static func check(_ name: String, _ what: String = "value's name") throws(GroupFileError) {
        guard let problem = problem(of: name) else { return }
        throw GroupFileError(.invalidName, "the \(what) \"\(printable(name))\" \(problem)")
    }

    package static func isValid(_ name: String) -> Bool { problem(of: name) == nil }

    /// What is wrong with a name, and what to do about it; nil if the name is valid. Compares bytes, because to a
    /// string a slash or a dot with an accent after it is another character.
    private static func problem(of name: String) -> String? {
        let advice = "use letters, digits, dots, dashes and underscores"
        if name.isEmpty { return "is empty; \(advice)" }
        if name.utf8.count > longest {
            return "is \(name.utf8.count) bytes long; use at most \(longest)"
        }
        if name.utf8.first == UInt8(ascii: ".") { return "begins with a dot; begin it with another character" }
        if name.utf8.contains(UInt8(ascii: "/")) { return "contains a /; \(advice)" }
        if name.unicodeScalars.contains(where: \.isControl) { return "contains a control character; \(advice)" }
        return nil
    }

    /// The last component of a file's path, which may be any that the kernel allows. Throws if it names a directory.
    package static func ofFile(at path: String) throws(GroupFileError) -> String {
        let name = Path.afterLastSlash(path)
        if name.isEmpty || name == "." || name == ".." || path.utf8.contains(0) {
            throw GroupFileError(.invalidName, path: path, "it names a directory; name a file in it")
        }
        return name
    }

    /// A name, or a key, for use in a sentence. A long one is cut off.
    static func printable(_ name: String) -> String {
        let start = String(name.unicodeScalars.prefix(60))
        return (name.unicodeScalars.count > 60 ? start + "…" : start).oneLine
    }
}
