import FileEvents
import SystemCalls

/// A directory whose values somebody in this process uses: every path that leads to it meets here, so that there is one
/// core for each file, and one order of what happens to it.
final class OpenDirectory: Sendable {
    private struct WeakDirectory: Sendable {
        weak let directory: OpenDirectory?
    }

    private struct WeakCore: Sendable {
        weak let core: FileCore?
    }

    /// By what directory it is. An inode cannot be used again while a descriptor pins it.
    private static let all = Guarded<[FileIdentity: WeakDirectory]>([:])

    let directory: Directory
    /// For errors: a path that led here.
    let path: String
    private let sharing: Sharing
    /// Guards itself. A core lives as long as a listener is attached to it.
    private let cores = Guarded<[String: WeakCore]>([:])

    private init(_ directory: Directory, path: String, sharing: Sharing) {
        self.directory = directory
        self.path = path
        self.sharing = sharing
    }

    deinit {
        let identity = directory.identity
        Self.all.withLock { all in
            if let entry = all[identity], entry.directory == nil { all[identity] = nil }
        }
    }

    static func shared(_ directory: Directory, path: String, sharing: Sharing) -> OpenDirectory {
        all.withLock { all in
            if let open = all[directory.identity]?.directory { return open }
            let new = OpenDirectory(directory, path: path, sharing: sharing)
            all[directory.identity] = WeakDirectory(directory: new)
            return new
        }
    }

    func core(_ name: String) -> FileCore {
        cores.withLock { cores in
            if let core = cores[name]?.core { return core }
            let core = FileCore(file: DirectoryFile(name, in: directory, path: path, sharing: sharing))
            cores[name] = WeakCore(core: core)
            return core
        }
    }

    func existingCore(_ name: String) -> FileCore? {
        cores.withLock { $0[name]?.core }
    }

    var existingCores: [FileCore] {
        cores.withLock { cores in
            cores = cores.filter { $0.value.core != nil }
            return cores.values.compactMap(\.core)
        }
    }
}
