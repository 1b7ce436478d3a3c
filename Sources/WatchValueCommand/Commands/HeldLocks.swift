import GroupFiles
import SystemCalls

/// The locks that updates further out hold, of which this is the COMMAND: to wait for one would be for ever.
struct HeldLocks {
    /// Their paths, a line each.
    private static let pathsVariable = "WATCH_VALUE_LOCK"
    /// The numbers of the updates' processes, those of the last paths: whoever names a lock without us gives no number.
    private static let holdersVariable = "WATCH_VALUE_LOCK_HOLDERS"

    private let paths: String?
    private let holders: String?

    init() throws(Failure) {
        paths = try Environment.text(Self.pathsVariable)
        holders = try Environment.text(Self.holdersVariable)
    }

    /// What COMMAND is told, of this process's lock too.
    func environment(adding file: GroupFile<JSONDocument>) -> [(String, String)] {
        let path = [paths, Self.path(of: file)].compactMap(\.self).joined(separator: "\n")
        let holder = [holders, Self.thisProcess].compactMap(\.self).joined(separator: " ")
        return [(Self.pathsVariable, path), (Self.holdersVariable, holder)]
    }

    private static var thisProcess: String? {
        do throws(Errno) { return try ProcessTable.identifier() } catch { return nil }  // There is no /proc.
    }

    func check(_ file: GroupFile<JSONDocument>, about name: String) throws(Failure) {
        guard let paths, isHeldFurtherOut(Self.path(of: file), paths) else { return }
        throw Failure(
            .usage, "this runs within an update of the same value, which holds the lock; print the value instead",
            about: name)
    }

    /// By the number of its holder: the variables outlive the update in what COMMAND leaves behind, and another may hold
    /// the lock then. Not by whether that is an ancestor: an update also waits for orphans that may print something yet.
    ///
    /// Where the holder is not to be seen, or was given no number, what the variable names counts as held further out, if it
    /// is held at all: an error can be mended, to wait for ever cannot.
    private func isHeldFurtherOut(_ path: String, _ paths: String) -> Bool {
        do throws(Errno) {
            let lock = FileLock(try FileDescriptor.open(path, [.readOnly, .nonBlocking]))
            guard try lock.isTaken() else { return false }
            let holder = lock.holder()?.process
            let holders = holders?.split(separator: " ") ?? []
            if let holder, holders.contains(where: { Int32($0) == holder }) { return true }
            let identity = try lock.descriptor.status().identity
            return paths.split(separator: "\n").dropLast(holder == nil ? 0 : holders.count).contains {
                Self.identity(String($0)) == identity
            }
        } catch {
            return false  // There is none yet; or whoever wants it is told why it is not to be had.
        }
    }

    /// The lock of a value.
    private static func path(of file: GroupFile<JSONDocument>) -> String {
        let directory = Path.beforeLastSlash(file.path).map { $0 + "/" } ?? ""
        return directory + ControlDirectory.name + "/" + ControlName.lock(ofValue: Path.afterLastSlash(file.path))
    }

    private static func identity(_ path: String) -> FileIdentity? {
        do throws(Errno) { return try Path.status(of: path).identity } catch { return nil }
    }
}
