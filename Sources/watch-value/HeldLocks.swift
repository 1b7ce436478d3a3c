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
    static func naming(_ lock: String) -> String {
        (held + [lock]).joined(separator: "\n")
    }

    private static var held: [String] {
        CurrentProcess.environment(variable).map { $0.split(separator: "\n").map(String.init) } ?? []
    }

    static func check(_ file: GroupFile<JSONDocument>, about name: String) throws(Failure) {
        let held = held
        if held.isEmpty { return }
        do throws(Errno) {
            let lock = try Path.status(of: path(of: file)).identity
            // Where nobody holds it any more, the variable outlived its update.
            guard try LockHolder.find(lock) != nil else { return }
            for path in held where try Path.status(of: path).identity == lock {
                throw .busy
            }
        } catch .busy {
            throw Failure(
                .usage, "this runs within an update of the same value, which holds the lock; print the value instead",
                about: name)
        } catch {
            return  // No such lock: nobody holds it.
        }
    }
}
