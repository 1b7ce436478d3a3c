import Observables
import SystemCalls

/// Values are regular files whose names may be values' names.
extension DirectoryStore: NamesStore {
    func names() throws(GroupFileError) -> [String] {
        do throws(Errno) {
            let directory = try Directory(path: path)
            var names: [String] = []
            for name in try directory.names() where try Self.isValue(name, in: directory) { names.append(name) }
            return names.sorted()
        } catch .noEntry {
            return []
        } catch {
            throw GroupFileError(error, reaching: path, "list the container")
        }
    }

    func holdsValue(named name: String) throws(Errno) -> Bool {
        guard ValueName.isValid(name) else { return false }
        do throws(Errno) {
            return try Path.linkStatus(of: path + "/" + name).kind == .regular
        } catch  where error.isNotFound {
            return false
        }
    }

    func watchNames(for names: any NamesListener) -> Subscription {
        let watch = DirectoryNames(path: path, usesNotifications: usesNotifications, listener: names)
        return Subscription { _ in watch.cancel() }
    }

    private static func isValue(_ name: String, in directory: Directory) throws(Errno) -> Bool {
        guard ValueName.isValid(name) else { return false }
        do throws(Errno) {
            return try directory.status(of: name).kind == .regular
        } catch .noEntry {
            return false
        }
    }
}
