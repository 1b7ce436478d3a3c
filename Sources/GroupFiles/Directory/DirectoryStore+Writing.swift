import FileEvents
import SystemCalls

/// Where a change has to land: a missing directory is created, and one that took the place of another is found.
extension DirectoryStore {
    /// Nil for a single file's path: links anywhere on the way may lead to another directory.
    var pathForWriting: String? { isContainer ? path : nil }

    func coreForWriting(_ listener: any StoreListener, makesDirectory: Bool) throws(GroupFileError) -> FileCore {
        if isContainer, let core = state.withLock({ $0.place?.directory.core(listener.name) }) { return core }
        for _ in 0..<Attempts.most {
            let (place, isMissing) = followPath { ($0.place, absentFile(of: listener, $0).isMissing) }
            if let place {
                if place.target.isOpenFile { throw .openFile(path + "/" + listener.name) }
                return place.directory.core(place.name(of: listener))
            }
            if !makesDirectory, isMissing { throw .noDirectory(path) }
            if let refusal = state.withLock({ $0.watch?.refusal }) {
                let file = path + "/" + listener.name
                throw GroupFileError(
                    refusal, path: file, "follow the path", changes: false, advice: refusal.linkAdvice(at: file))
            }
            // The path was refused a moment ago, and no longer is.
            if !makesDirectory { continue }
            do throws(Errno) {
                try makeDirectories()
            } catch {
                if error == .noEntry, Path.isWayBeingRemoved(to: path) { continue }
                throw GroupFileError(error, reaching: path, "make or open the container")
            }
        }
        throw GroupFileError(
            .directoryKeepsChanging, path: path, "another program keeps removing the container; find out which")
    }

    /// A container is for its owner alone unless the caller says otherwise; the directories on a file's path are shared
    /// like the one in which they are created.
    private func makeDirectories() throws(Errno) {
        if isContainer { return try (key.sharing ?? .owner).makeDirectory(at: path) }
        let permissions = Sharing.ofNewDirectory(at: path).directoryPermissions
        try Path.makeDirectories(path, permissions: permissions, ofParents: permissions)
    }

    func leads(_ listener: any StoreListener, to core: FileCore) -> PathAnswer {
        for _ in 0..<Attempts.most {
            let answer = followPath { state -> PathAnswer in
                if let place = state.place {
                    return place.directory.existingCore(place.name(of: listener)) === core ? .yes : .no
                }
                // It was not found, or could not be looked at.
                return state.watch?.refusal.map { !$0.leavesOpenWhatIsThere } == true ? .no : .unknown
            }
            if answer != .unknown { return answer }
            // Not found: is it because nothing is there?
            do throws(Errno) {
                _ = try Path.status(of: path)
            } catch {
                return error.isNotFound ? .no : .unknown
            }
            // By now something is there, which may be another directory.
        }
        return .unknown
    }
}
