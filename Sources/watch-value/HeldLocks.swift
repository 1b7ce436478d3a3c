import GroupFiles
import SystemCalls

/// The locks that an `update` further out holds, of which this is the COMMAND: to wait for one would be for ever.
enum HeldLocks {
    static let variable = "WATCH_VALUE_LOCK"

    /// The lock of a value.
    static func path(of file: GroupFile<JSONDocument>) -> String {
        let path = file.path
        let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        return "\(path[..<name]).groupfile/\(path[name...]).lock"
    }

    /// Names this lock, and those held already, a line each.
    static func naming(_ lock: String) throws(Failure) -> String {
        try (held() + [lock]).joined(separator: "\n")
    }

    private static func held() throws(Failure) -> [String] {
        try Environment.text(variable)?.split(separator: "\n").map(String.init) ?? []
    }

    static func check(_ file: GroupFile<JSONDocument>, about name: String) throws(Failure) {
        let held = try held()
        if held.isEmpty { return }
        let lock = identity(path(of: file))
        guard let lock, held.contains(where: { identity($0) == lock }), isTaken(lock) else { return }
        throw Failure(
            .usage, "this runs within an update of the same value, which holds the lock; print the value instead",
            about: name)
    }

    /// Nil where there is none, so that nobody holds it.
    private static func identity(_ path: String) -> FileIdentity? {
        do throws(Errno) { return try Path.status(of: path).identity } catch { return nil }
    }

    /// Where nobody holds it any more, the variable outlived its update.
    private static func isTaken(_ lock: FileIdentity) -> Bool {
        do throws(Errno) { return try LockHolder.find(lock) != nil } catch {
            return true  // It cannot be told; the variable says so.
        }
    }
}
