import GroupFiles
import JSONText
import SystemCalls

/// What is in `.groupfile`: locks and their holders, and what ``LeftoverExamination`` finds there.
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
        return findings + LeftoverExamination.findings(names, in: directory, at: path)
    }

    private static func lockedValue(_ name: String) -> String? {
        if case .lock(let value) = ControlName(name) { value } else { nil }
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

    /// Whether this user cannot write there in any case, and so needs no lock.
    private static func canOnlyLook(at container: String) -> Bool {
        do throws(Errno) {
            return try !Path.mayWrite(in: container)
        } catch {
            return false
        }
    }

    /// For something that another user made for that user alone.
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
                "run doctor where /proc shows all processes", facts: [JSONObject.Member("name", .string(value))])
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
}
