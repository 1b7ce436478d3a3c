/// The text of paths, by bytes as the kernel takes them: to Swift, a slash and a combining accent at the start of a
/// name are one character, which is no slash.
extension Path {
    private static let slash = UInt8(ascii: "/")

    package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

    package static func hasSlash(_ path: String) -> Bool { path.utf8.contains(slash) }

    /// What stands before the last slash: empty for an entry of the root. Nil if there is no slash.
    package static func beforeLastSlash(_ path: String) -> String? {
        path.utf8.lastIndex(of: slash).map { String(path[..<$0]) }
    }

    /// What stands after the last slash; all of it where there is none.
    package static func afterLastSlash(_ path: String) -> String {
        path.utf8.lastIndex(of: slash).map { String(Substring(path.utf8[$0...].dropFirst())) } ?? path
    }

    /// The components' names, without empty ones and `.`; `..` stays, because a link may stand before it.
    package static func components(_ path: String) -> [Substring] {
        path.utf8.split(separator: slash).compactMap { $0.elementsEqual([UInt8(ascii: ".")]) ? nil : Substring($0) }
    }

    /// The last component's name; empty where there is none.
    package static func lastComponent(_ path: String) -> String {
        path.utf8.split(separator: slash).last.map { String(Substring($0)) } ?? ""
    }

    /// Whether `path` is `directory`, or lies below it.
    package static func isAt(_ path: String, orBelow directory: String) -> Bool {
        if !path.utf8.starts(with: directory.utf8) { return false }
        let rest = path.utf8.dropFirst(directory.utf8.count)
        return rest.isEmpty || rest.first == slash || directory.utf8.last == slash
    }
}
