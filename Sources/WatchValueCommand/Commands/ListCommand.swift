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

    /// Sorted, without entries that are not regular files, or whose name no value can have.
    static func names(in container: String) throws(Failure) -> [String] {
        do throws(Errno) {
            _ = try Directory(path: container)
        } catch .noEntry {
            // If a link that leads nowhere is in its place, set would fail.
            let advice = PathObstacle(at: container)?.advice ?? "the first set creates it"
            throw Failure(.noSuchValue, "there is no such container; \(advice)", about: container)
        } catch {}  // Reported below, with what to do about it.
        do throws(GroupFileError) {
            return try GroupContainer(directory: container, access: .readOnly).currentNames()
        } catch {
            throw Failure(error, about: container)
        }
    }
}
