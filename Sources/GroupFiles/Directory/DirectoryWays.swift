import FileEvents
import SystemCalls

/// The paths by which stores found a directory. Thousands of stores may have found it by the same path, and there is
/// hardly ever a second one: a directory has another path where it is mounted.
struct DirectoryWays {
    private struct Way {
        let path: String
        /// How many stores follow it.
        var times = 1
    }

    /// The path that was found last comes last, but fleeting paths come before all others: see
    /// ``PathTarget/isFleeting(_:)``.
    private var ways: [Way] = []

    var last: String? { ways.last?.path }
    /// All of them, in this order.
    var all: [String] { ways.map(\.path) }
    /// All of them if there are several; otherwise none.
    var alternatives: [String] { ways.count > 1 ? all : [] }

    mutating func add(_ path: String) {
        var way = Way(path: path)
        if let index = index(of: path) {
            way.times += ways[index].times
            if index == ways.count - 1 {
                ways[index] = way
                return
            }
            ways.remove(at: index)
        }
        ways.insert(way, at: PathTarget.isFleeting(path) ? 0 : ways.count)
    }

    /// False if no store follows it.
    mutating func remove(_ path: String) -> Bool {
        guard let index = index(of: path) else { return false }
        ways[index].times -= 1
        if ways[index].times == 0 { ways.remove(at: index) }
        return true
    }

    private func index(of path: String) -> Int? { ways.lastIndex { ExactName($0.path) == ExactName(path) } }
}
