import JSONText
import SystemCalls

/// The container: where it is, and who may use it.
struct ContainerExamination {
    private let path: String
    private let status: Result<FileStatus, Errno>

    init(_ path: String) {
        self.path = path
        status = Result { () throws(Errno) in try Path.status(of: path) }
    }

    var isThere: Bool {
        if case .success(let status) = status { return status.kind == .directory }
        return false
    }

    /// The container or, where it is missing, the nearest directory above it that exists; nil if that cannot be found.
    var nearestDirectory: String? {
        if isThere { return path }
        // The container is there, but nothing serves its file system any more.
        if case .failure(.notConnected) = status { return nil }
        var parent = path
        while parent != "/", let above = Path.beforeLastSlash(parent) {
            parent = above.isEmpty ? "/" : above
            do throws(Errno) {
                return try Path.status(of: parent).kind == .directory ? parent : nil
            } catch .noEntry {
                continue
            } catch {
                return nil
            }
        }
        return nil
    }

    func findings() -> [Finding] {
        switch status {
        case .success(let status) where status.kind == .directory: [directory(status)]
        case .success:
            [finding(.problem, "\(path) is not a directory", "use another path, or move it out of the way")]
        case .failure(.noEntry), .failure(.notDirectory): [missing]
        case .failure(let error):
            [finding(.problem, "\(path) cannot be examined: \(error)", Self.advice(error))]
        }
    }

    private static let askOwner = "ask its owner for permission, or run it as that user"

    private static func advice(_ error: Errno) -> String {
        switch error {
        case .accessDenied: "check the permissions of the directories above it"
        case .tooManyLinks: "correct the symbolic links in the path"
        default: "choose another with --container"
        }
    }

    /// Something else, or a link that leads nowhere, may prevent making it.
    private var missing: Finding {
        if let obstacle = PathObstacle(at: path) { return finding(.problem, obstacle.description, obstacle.remedy) }
        if let nearest = nearestDirectory {
            do throws(Errno) { try Path.checkMayWrite(in: nearest) } catch .accessDenied {
                return finding(
                    .problem, "\(path) does not exist, and you may not create it in \(nearest)",
                    "get the permission to write there, or choose another place with GROUP_CONTAINERS or --container")
            } catch {}  // The finding about the file system reports it.
        }
        return finding(.note, "\(path) does not exist yet", "the first set creates it")
    }

    private func directory(_ status: FileStatus) -> Finding {
        let octal = String(status.permissions, radix: 8)
        let facts = [
            JSONObject.Member("permissions", .string(octal)), JSONObject.Member("owner", number: Int(status.owner)),
        ]
        let text = "\(path), permissions \(octal), owner \(status.owner)"
        if status.permissions & 0o002 != 0, status.permissions & 0o1000 == 0 {
            return finding(
                .problem, "\(text): anybody may write in it", "chmod o-w \(path.quotedForShell)", facts: facts)
        }
        let user = CurrentProcess.effectiveUser
        if status.owner != user, user != 0, status.permissions & 0o020 == 0 {
            return Path.mayLook(in: path)
                ? finding(.note, "\(text): it belongs to another user", "you may only read it", facts: facts)
                : finding(
                    .problem, "\(text): it belongs to another user, and you may not read it", Self.askOwner,
                    facts: facts)
        }
        do throws(Errno) { try Path.checkMayWrite(in: path) } catch .accessDenied {
            return finding(
                .problem, "\(text): you may not write in it",
                status.owner == user ? "chmod u+rwx \(path.quotedForShell)" : Self.askOwner, facts: facts)
        } catch .notPermitted {
            return finding(
                .problem, "\(text): nobody may write in it, because it is immutable",
                "sudo chattr -i \(path.quotedForShell)", facts: facts)
        } catch {}  // The finding about the file system reports it.
        return finding(.good, text, facts: facts)
    }

    private func finding(
        _ level: Finding.Level, _ text: String, _ advice: String? = nil, facts: [JSONObject.Member] = []
    ) -> Finding {
        Finding(level: level, subject: "container", text: text, advice: advice, facts: facts)
    }
}
