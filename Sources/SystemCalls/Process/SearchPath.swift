import Glibc

/// PATH: where commands without a slash in their names are found.
package enum SearchPath {
    private static let usual = Array("/bin:/usr/bin".utf8)

    /// The first place where something has the name; nil if there is none in the directories that may be entered.
    package static func place(of name: [UInt8]) -> [UInt8]? { place(of: name, allowing: F_OK) }

    /// The same, but only for files that allow access in `mode`: access(2).
    static func place(of name: [UInt8], allowing mode: Int32) -> [UInt8]? {
        if name.isEmpty { return nil }  // A directory of PATH itself is no command.
        let path = CurrentProcess.environmentBytes("PATH") ?? usual
        // An empty entry is the current directory.
        return path.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            .map { ($0.isEmpty ? [UInt8(ascii: ".")] : $0) + [UInt8(ascii: "/")] + name }
            .first { allows(mode, $0) }
    }

    private static func allows(_ mode: Int32, _ place: [UInt8]) -> Bool {
        do throws(Errno) {
            try perform(.access, String(decoding: place, as: UTF8.self)) { unsafe access(place.terminated, mode) }
            return true
        } catch {
            return false
        }
    }
}
