import SystemCalls
import TestSupport
import Testing

/// Records what the system calls of a thread do to a folder, and what a power cut after each of them may leave.
///
/// Before each call, the recorder looks at the whole folder: what differs is what the previous call did. It has to know
/// what the call is only for fsync. So it does not depend on how the library writes.
final class DiskRecorder: Sendable {
    private struct Tree {
        var names: [DiskModel.Entry: DiskModel.Inode] = [:]
        var contents: [DiskModel.Inode: [UInt8]] = [:]
    }

    private struct State {
        var model: DiskModel
        var tree: Tree
        /// What the current call syncs.
        var pending: DiskModel.Operation?
        var isLooking = false
        var operations: [DiskModel.Operation] = []
        var outcomes: [Set<DiskModel.Outcome>] = []
    }

    private let path: String
    private let root: DiskModel.Inode
    private let value: [String]
    /// Guards itself.
    private let state: Guarded<State>

    /// Records what becomes of `value`, a path below the folder. What is there now counts as safe.
    init(_ folder: TemporaryDirectory, value: [String]) throws {
        path = folder.path
        self.value = value
        root = try Path.status(of: folder.path).identity.inode
        let tree = try Self.look(at: path)
        state = Guarded(State(model: DiskModel(names: tree.names, contents: tree.contents), tree: tree))
    }

    /// Returns what may be left after each call of `body`, in order, and after its end. Calls of the kind `unknown`
    /// fail as if the file system did not know them.
    func record<Failure: Error>(
        unknown: SystemCall? = nil, _ body: () throws(Failure) -> Void
    ) throws(Failure) -> [Set<DiskModel.Outcome>] {
        try SystemCallTap.tapping({ [self] call, detail in
            if call != .close { note(call, detail) }
            return call == unknown ? .fail(.invalid) : .none
        }) { () throws(Failure) in
            try body()
        }
        note(.close, "")
        return state.withLock(\.outcomes)
    }

    private func note(_ call: SystemCall, _ detail: String) {
        // Looking makes calls of its own; they are not recorded.
        if state.withLock({ exchange(&$0.isLooking, with: true) }) { return }
        defer { state.withLock { $0.isLooking = false } }
        do {
            let tree = try Self.look(at: path)
            let next = call == .fsync ? try Self.sync("/proc/self/fd/" + detail) : nil
            state.withLock { state in
                var operations = Self.differences(state.tree, tree)
                if let pending = state.pending { operations.append(pending) }
                for operation in operations { state.model.apply(operation) }
                state.operations += operations
                state.outcomes.append(state.model.outcomes(at: value, below: root))
                state.tree = tree
                state.pending = next
            }
        } catch {
            Issue.record(error, "the recorder cannot look")
        }
    }

    private static func sync(_ path: String) throws -> DiskModel.Operation {
        let status = try Path.status(of: path)
        if status.kind == .directory { return .syncDirectory(status.identity.inode) }
        return .sync(status.identity.inode, try content(path))
    }

    private static func content(_ path: String) throws -> [UInt8] {
        let file = try FileDescriptor.open(path, .readOnly)
        return try file.readToEnd(expected: 4096, limit: 1 << 20)
    }

    private static func look(at path: String) throws -> Tree {
        var tree = Tree()
        try look(at: path, &tree)
        return tree
    }

    private static func look(at path: String, _ tree: inout Tree) throws {
        let directory = try Directory(path: path)
        for name in try directory.names() {
            let status = try directory.status(of: name)
            let inode = status.identity.inode
            tree.names[DiskModel.Entry(directory: directory.identity.inode, name: name)] = inode
            if status.kind == .directory {
                try look(at: path + "/" + name, &tree)
            } else if status.kind == .regular {
                tree.contents[inode] = try content(path + "/" + name)
            }
        }
    }

    private static func differences(_ old: Tree, _ new: Tree) -> [DiskModel.Operation] {
        var found: [DiskModel.Operation] = []
        for (inode, bytes) in new.contents where old.contents[inode] != bytes { found.append(.data(inode, bytes)) }
        for (entry, inode) in new.names where old.names[entry] != inode { found.append(.name(entry, inode)) }
        for entry in old.names.keys where new.names[entry] == nil { found.append(.name(entry, nil)) }
        return found
    }
}
