import GroupFiles
import JSONText
import SystemCalls

/// What stays in `.groupfile` when nobody writes: leftovers of killed writers, and content that was kept for its user.
enum LeftoverExamination {
    /// Findings about the files with these names in the directory at `path`.
    static func findings(_ names: [String], in directory: Directory, at path: String) -> [Finding] {
        let left = names.map { ($0, leftover($0, directory)) }
        return [
            finding(
                left.filter { $0.1 == .named }.map(\.0), "leftovers", "left by writers that were killed",
                "the next write of that value by a user who may removes it or, if it is a user's, keeps it as rejected"),
            finding(
                left.filter { $0.1 == .forgotten }.map(\.0), "leftovers",
                "left by writers that were killed, and named by no lock's file, so that nobody sweeps them",
                "they may be what a write displaced: look whether you want them, then remove them from \(path)"),
            finding(
                names.filter(isKept), "rejected", "rejected content, which was no valid value for its writer",
                "look whether you want it, then remove it from \(path)"),
        ].compactMap(\.self)
    }

    /// One note about all these files; nil if there are none.
    private static func finding(_ names: [String], _ subject: String, _ text: String, _ advice: String) -> Finding? {
        if names.isEmpty { return nil }
        return Finding(
            level: .note, subject: subject, text: "\(names.joined(separator: ", ")): \(text)", advice: advice,
            facts: [JSONObject.Member("files", strings: names)])
    }

    private static func isKept(_ name: String) -> Bool {
        if case .rejected = ControlName(name) { true } else { false }
    }

    /// What a killed writer left.
    private enum Leftover {
        /// The lock's file names it: the next writer that is allowed to sweeps it.
        case named
        /// No lock's file names it: that file was removed, or names later ones.
        case forgotten
    }

    /// Only the holder of a value's lock has a temporary file for it. The process number in the name proves nothing: in
    /// another namespace it belongs to another process.
    private static func leftover(_ name: String, _ directory: Directory) -> Leftover? {
        guard case .temporary(let value) = ControlName(name) else { return nil }
        guard let value else { return .forgotten }
        do throws(Errno) {
            return try leftover(name, whileNobodyHolds: ControlName.lock(ofValue: value), directory)
        } catch  where error == .noEntry || error == .isDirectory {
            return .forgotten  // There is no such lock.
        } catch {
            return nil  // It cannot be determined.
        }
    }

    private static func leftover(
        _ name: String, whileNobodyHolds lock: String, _ directory: Directory
    ) throws(Errno) -> Leftover? {
        let lock = FileLock(try directory.open(lock, [.readOnly, .nonBlocking]))
        guard try lock.tryLock() else { return nil }
        defer { lock.unlock() }
        do throws(Errno) {
            _ = try directory.status(of: name)
        } catch .noEntry {
            return nil
        }
        let start = try lock.descriptor.readStart(LockRecord.longest)
        let isNamed = LockRecord.leftovers(namedIn: start).contains { ExactName($0) == ExactName(name) }
        return isNamed ? .named : .forgotten
    }
}
