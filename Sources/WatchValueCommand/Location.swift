import GroupFiles
import JSONText
import SystemCalls

/// Where a NAME leads: to a value of a container, or to any file.
struct Location: Sendable {
    /// As typed.
    let name: String
    /// The container's directory; nil for a file by its path.
    let container: String?
    /// Absolute; links are not followed.
    let path: String

    init(_ name: String, _ arguments: Arguments) throws(Failure) {
        guard Path.hasSlash(name) else {
            self.init(name, in: try Self.container(arguments))
            return
        }
        let path = try Self.absolute(name)
        try Self.checkIsPlace(path, name)
        self.init(name: name, container: nil, path: path)
    }

    /// A value of a container whose absolute path is known.
    init(_ name: String, in container: String) {
        self.init(name: name, container: container, path: (container == "/" ? "" : container) + "/" + name)
    }

    private init(name: String, container: String?, path: String) {
        self.name = name
        self.container = container
        self.path = path
    }

    /// The directory that the options, or the environment, name.
    static func container(_ arguments: Arguments) throws(Failure) -> String {
        if let directory = arguments[.container] {
            if directory.isEmpty { throw Failure(.usage, "--container is empty; name a directory") }
            return try absolute(directory)
        }
        let given = if let group = arguments[.group] { group } else { try Environment.text("WATCH_VALUE_GROUP") }
        let group = given ?? "default"
        let directory: String
        do throws(GroupFileError) {
            directory = try GroupContainer.directory(of: group)
        } catch {
            switch error.code {
            case .invalidName: throw Failure(error, about: group)
            // Of the variables that say where containers are, none is set, or one is not UTF-8.
            case .noContainers: throw Failure(.noSuchValue, error.sentence)
            default: throw Failure(.usage, error.sentence)
            }
        }
        return try absolute(directory)
    }

    /// Links such as /proc/self/fd/0 lead to an open file, wherever it is: their text need not be a path, and nothing
    /// can be watched or replaced there. A path that goes on below such a link, to an open directory, is allowed.
    private static func checkIsPlace(_ path: String, _ name: String) throws(Failure) {
        let parts = Path.components(path)
        let isDescriptor =
            switch parts.first {
            case "dev": parts.count == 3 && parts[1] == "fd" || parts.count == 2 && standardStreams.contains(parts[1])
            // Of a process, or of one of its threads.
            case "proc": parts.count == 4 && parts[2] == "fd" || parts.count == 6 && parts[4] == "fd"
            default: false
            }
        if !isDescriptor { return }
        throw Failure(
            .usage,
            "this is an open file, not a place: write the file's path, or jq . < \(name) to read it, "
                + "or watch-value set NAME - < \(name) to keep it", about: name)
    }

    private static let standardStreams: [Substring] = ["stdin", "stdout", "stderr"]

    private static func absolute(_ path: String) throws(Failure) -> String {
        do throws(Errno) {
            if Path.isAbsolute(path) { return try Path.absolute(path) }
            let here: String
            do throws(Errno) {
                let current = try Path.absolute(".")
                here = Path.isClosed(current) ? way ?? current : current
            } catch {
                guard let way else { throw error }
                here = way
            }
            return try Path.absolute("\(here)/\(path)")
        } catch .noEntry {
            throw Failure(ExitCode.inputOutput, "the current directory was removed; go to another one", about: path)
        } catch {
            throw Failure(error, "find the current directory", about: path)
        }
    }

    /// A path to the current directory, valid while this process is in it. Used when no other path leads there, or only
    /// one that this process may not follow, that is too long, or that is not UTF-8.
    private static var way: String? {
        do throws(Errno) {
            let way = "/proc/\(try ProcessTable.identifier())/cwd"
            // A directory that was removed holds nothing, and never will.
            return try Path.status(of: way).links > 0 ? way : nil
        } catch {
            return nil
        }
    }

    /// The variables that tell COMMAND which value it gets.
    var environment: [(String, String)] { [("WATCH_VALUE_NAME", name), ("WATCH_VALUE_PATH", path)] }

    /// The path in a form that is still valid for others when this process has ended.
    static func lasting(_ path: String, about name: String) throws(Failure) -> String {
        guard let way, Path.isAt(path, orBelow: way) else { return path }
        do throws(Errno) {
            return try Path.absolute(Path.absolute(".") + path.dropFirst(way.count))
        } catch .illegalByteSequence {
            throw Failure(
                ExitCode.inputOutput, "the path of the current directory is not UTF-8; name one that is", about: name)
        } catch {
            throw Failure(
                ExitCode.inputOutput,
                "no path leads to the current directory from here: go there by one, or name another", about: name)
        }
    }

    /// The value that the file holds now; nil if there is no file, or if its content cannot be read. Waits for no
    /// writer, and starts no thread.
    func readOnce() -> JSONValue? {
        let found = container.map { OneShotRead.bytes(ofValue: name, in: $0) } ?? OneShotRead.bytes(of: name)
        guard let found else { return nil }
        do throws(JSONTextError) { return try JSONValue(parsing: found) } catch { return nil }
    }

    /// For a single look, or for notification of changes. Leaves nothing behind.
    func openForReading(notifies: Bool) throws(Failure) -> GroupFile<JSONDocument> {
        try open(GroupFileOptions(access: .readOnly, maximumSize: JSONDocument.mostBytes), notifies: notifies)
    }

    /// For changing the value, which must not be within an update of it. Makes the container if it is missing, but not
    /// the value. A change that starts from the value that is there `notifies`: while somebody writes that in place, only
    /// notifications tell when it is whole.
    func openForWriting(
        durability: Durability, lockTimeout: Duration?, notifies: Bool = false, checking heldLocks: HeldLocks? = nil
    ) throws(Failure) -> GroupFile<JSONDocument> {
        let file = try open(
            GroupFileOptions(
                durability: durability, maximumSize: JSONDocument.mostBytes, lockTimeout: lockTimeout),
            notifies: notifies)
        try heldLocks?.check(file, about: name)
        return file
    }

    private func open(_ options: GroupFileOptions, notifies: Bool) throws(Failure) -> GroupFile<JSONDocument> {
        do throws(GroupFileError) {
            guard let container else {
                // Checks the name first: the path has lost a slash at its end.
                _ = try ValueName.ofFile(at: name)
                return try GroupFile(
                    path: path, initialValue: .missing, codec: .document, options: options,
                    usesNotifications: notifies)
            }
            // Checks the name first, so that a bad one makes no container.
            try ValueName.check(name)
            let directory = try GroupContainer(
                directory: container, access: options.access, sharing: Self.sharing(container),
                usesNotifications: notifies)
            return try GroupFile(
                name, in: directory, initialValue: .missing, codec: .document, options: options, creates: false)
        } catch {
            throw Failure(error, about: name)
        }
    }

    /// A container that is shared with its group stays shared.
    private static func sharing(_ directory: String) -> Sharing {
        do throws(Errno) {
            return Sharing(permissions: try Path.status(of: directory).permissions)
        } catch {
            return .owner  // Opening it then makes it, or reports why it cannot.
        }
    }
}
