import GroupFiles
import SystemCalls

/// `list`: the names of a group's values.
enum ListCommand {
    static func run(_ arguments: Arguments) throws(Failure) {
        let container = try Location.container(arguments)
        if arguments.has(.live) { return try LiveList(container, arguments).run() }
        let names = try names(in: container)
        try Output.write(names.map { $0 + "\n" }.joined())
    }

    /// Sorted; what cannot be a value for its name, or is no regular file, is left out.
    static func names(in container: String) throws(Failure) -> [String] {
        do throws(Errno) {
            _ = try Directory(path: container)
        } catch .noEntry {
            throw Failure(.noSuchValue, "there is no such container; the first set makes it", about: container)
        } catch {
            throw Failure(error, "list the container", about: container)
        }
        let names: [String]
        do throws(GroupFileError) {
            names = try GroupContainer(directory: container, access: .readOnly).currentNames()
        } catch {
            throw Failure(error, about: container)
        }
        return names.filter { isValue($0, in: container) }
    }

    /// Whether a value could be named so.
    static func isName(_ name: String) -> Bool {
        do throws(GroupFileError) {
            try GroupFile<JSONDocument>.checkName(name)
            return true
        } catch {
            return false
        }
    }

    private static func isValue(_ name: String, in container: String) -> Bool {
        if !isName(name) { return false }
        do throws(Errno) {
            return try Path.linkStatus(of: container + "/" + name).kind == .regular
        } catch {
            return false  // It was removed meanwhile.
        }
    }
}
