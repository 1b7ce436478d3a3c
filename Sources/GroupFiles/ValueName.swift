/// What may be the name of a value, or a group's identifier: one path component that no tool trips over.
enum ValueName {
    static let longest = 200

    /// Looks at bytes: to a string an accent after a slash or a dot makes another character of it.
    /// Throws where `name` has a `/`, NUL or another control character, a leading dot, nothing, or over 200 bytes.
    static func check(_ name: String, _ what: String) throws(GroupFileError) {
        let problem: String
        if name.isEmpty {
            problem = "is empty"
        } else if name.utf8.count > longest {
            problem = "is \(name.utf8.count) bytes long; \(longest) are the most"
        } else if name.utf8.first == UInt8(ascii: ".") {
            problem = "begins with a dot"
        } else if name.utf8.contains(UInt8(ascii: "/")) {
            problem = "has a / in it"
        } else if name.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) {
            problem = "has a control character in it"
        } else {
            return
        }
        throw GroupFileError(
            .invalidName,
            "the \(what) \"\(printable(name))\" \(problem); use letters, digits, dots, dashes and underscores")
    }

    static func isValid(_ name: String) -> Bool {
        do throws(GroupFileError) {
            try check(name, "")
            return true
        } catch {
            return false
        }
    }

    private static func printable(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars.prefix(60) {
            text += scalar.value < 0x20 || scalar.value == 0x7F ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return name.unicodeScalars.count > 60 ? text + "…" : text
    }
}
