import GroupFiles
import JSONText
import SystemCalls

/// What is in `.groupfile`: locks and their holders, leftovers of killed writers, and content that was kept for its
/// user.
enum ControlExamination {
    static func findings(_ container: String) -> [Finding] {
        let path = container + "/" + ControlDirectory.name
        let directory: Directory
        let names: [String]
        do throws(Errno) {
            // Writers do not follow a link there.
            if try Path.linkStatus(of: path).kind != .directory { return [obstacle(path, "directory")] }
            directory = try Directory(path: path)
            names = try directory.names().sorted()
        } catch .noEntry {
            return [finding(.good, "nobody has written yet")]
        } catch {
            if error == .accessDenied, canOnlyLook(at: container) {
                return [finding(.note, "\(path) cannot be listed: \(error)", "run it as the owner of the container")]
            }
            if let refusal = refusal(error, container) { return [refusal] }
            let advice = Finding.advice(on: error, else: "check who owns it and its permissions")
            return [finding(.problem, "\(path) cannot be listed: \(error)", advice)]
        }
        let obstacles = names.filter { isObstacle($0, directory) }
        let locked = names.filter { !obstacles.contains($0) }.compactMap(lockedValue)
        var findings = obstacles.map { obstacle("\(path)/\($0)", "file") }
        let closed = closed(path, container)
        findings += closed.isEmpty ? held(locked, directory, container) : closed
        if findings.isEmpty { findings.append(finding(.good, "none of \(locked.count) is held")) }
        let left = names.map { ($0, leftover($0, directory)) }
        findings += files(
            left.filter { $0.1 == .named }.map(\.0), "leftovers", "left by writers that were killed",
            advice:
                "the next write of that value by a user who may removes it or, if it is a user's, keeps it as rejected")
        findings += files(
            left.filter { $0.1 == .forgotten }.map(\.0), "leftovers",
            "left by writers that were killed, and named by no lock's file, so that nobody sweeps them",
            advice: "they may be what a write displaced: look whether you want them, then remove them from \(path)")
        findings += files(
            names.filter(isKept), "rejected", "rejected content, which was no valid value to its writer",
            advice: "look whether you want it, then remove it from \(path)")
        return findings
    }

    private static func isKept(_ name: String) -> Bool {
        if case .rejected = ControlName(name) { true } else { false }
    }

    private static func lockedValue(_ name: String) -> String? {
        if case .lock(let value) = ControlName(name) { value } else { nil }
    }

    /// What a killed writer left.
    private enum Leftover {
        /// The lock's file names it: the next writer who may sweeps it.
        case named
        /// None does: that file was removed, or names later ones.
        case forgotten
    }

    /// Only the holder of a value's lock has a temporary file for it. The process in the name does not tell: in another
    /// namespace its number is another one's.
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

    /// Whether something that is not a file is in the place of a lock, or of the turn beside it.
    private static func isObstacle(_ name: String, _ directory: Directory) -> Bool {
        switch ControlName(name) {
        case .lock, .turn: break
        default: return false
        }
        do throws(Errno) {
            return try directory.status(of: name).kind != .regular
        } catch {
            return false  // It is gone.
        }
    }

    private static func obstacle(_ path: String, _ kind: String) -> Finding {
        finding(
            .problem, "\(path) is not a \(kind), so values that need it cannot be written",
            "move it away; the next write makes the \(kind)")
    }

    /// A problem if this user may write in the container, but not use its locks, or not move files from `.groupfile`
    /// into it.
    private static func closed(_ path: String, _ container: String) -> [Finding] {
        guard let refusal = ControlDirectory.refusal(in: container, of: nil) else { return [] }
        do throws(Errno) {
            try Path.checkMayWrite(in: container)
            let isHere = try Path.isSameFileSystem(path, container)
            let isMounted = try Path.isMountPoint(path)
            let (control, directory) = (try Path.linkStatus(of: path), try Path.status(of: container))
            let isTrap = ControlDirectory.isTrap(
                ownedBy: control.owner, in: directory.permissions, of: directory.owner)
            if isHere, !isMounted, !isTrap, try Path.mayWrite(in: path) { return [] }
        } catch {
            return []
        }
        return [finding(.problem, refusal.cause, refusal.cure)]
    }

    private static func held(_ values: [String], _ directory: Directory, _ container: String) -> [Finding] {
        var held: [Finding] = []
        for value in values {
            do throws(Errno) {
                let lock = FileLock(
                    try directory.open(ControlName.lock(ofValue: value), [.readOnly, .nonBlocking]))
                if try lock.isTaken() { held.append(Self.held(value, by: lock.holder())) }
            } catch .noEntry {
                continue  // It is gone.
            } catch {
                held.append(refusal(error, container, value) ?? unknown(value, error))
            }
        }
        return held
    }

    /// Who cannot write there in any case needs no lock.
    private static func canOnlyLook(at container: String) -> Bool {
        do throws(Errno) {
            return try !Path.mayWrite(in: container)
        } catch {
            return false
        }
    }

    /// For what another user made for himself alone.
    private static func refusal(_ error: Errno, _ container: String, _ value: String? = nil) -> Finding? {
        guard error == .accessDenied, let refusal = ControlDirectory.refusal(in: container, of: value) else {
            return nil
        }
        return finding(.problem, refusal.cause, refusal.cure)
    }

    /// It cannot be determined whether the lock is held.
    private static func unknown(_ value: String, _ error: Errno) -> Finding {
        let text = "cannot determine whether \(value) is locked: \(error)"
        switch error {
        case .notSupported, .noLocks, .noSystemCall, .invalid:
            return finding(.problem, text, "put the container on a file system that has locks")
        case .accessDenied, .notPermitted: return finding(.note, text, "run it as the owner of the container")
        default: return finding(.note, text, Finding.advice(on: error, else: nil))
        }
    }

    private static func held(_ value: String, by holder: LockHolder?) -> Finding {
        guard let holder else {
            return finding(
                .note, "\(value) is held by a process that is not visible from here",
                "look where /proc shows all processes", facts: [JSONObject.Member("name", .string(value))])
        }
        let text = "\(value) is held by \(holder)"
        let facts = [
            JSONObject.Member("name", .string(value)), JSONObject.Member("process", number: Int(holder.process)),
        ]
        if holder.isStopped {
            return finding(
                .problem, "\(text), which is stopped",
                "continue it with kill -CONT \(holder.process), or end it with kill -KILL \(holder.process)",
                facts: facts)
        }
        return finding(.note, text, "wait for it to finish, or end it", facts: facts)
    }

    private static func finding(
        _ level: Finding.Level, _ text: String, _ advice: String? = nil, facts: [JSONObject.Member] = []
    ) -> Finding {
        Finding(level: level, subject: "locks", text: text, advice: advice, facts: facts)
    }

    /// One note about all these files, if there are any.
    private static func files(_ names: [String], _ subject: String, _ text: String, advice: String) -> [Finding] {
        if names.isEmpty { return [] }
        return [
            Finding(
                level: .note, subject: subject, text: "\(names.joined(separator: ", ")): \(text)", advice: advice,
                facts: [JSONObject.Member("files", strings: names)])
        ]
    }
}
