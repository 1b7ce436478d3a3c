import TestSupport

/// Where one test's programs meet: a place for containers that does not exist yet.
final class Stage: Sendable {
    static let group = "group.com.example.broadcast"
    let directory: TemporaryDirectory

    init(on place: TemporaryDirectory.Place = .disk) throws {
        directory = try TemporaryDirectory(on: place)
    }

    var containers: String { directory.path("containers") }
    var container: String { containers + "/" + Self.group }

    func start(_ product: String, _ arguments: String...) throws -> Program {
        try Program(.product(product), arguments, environment: ["GROUP_CONTAINERS": containers])
    }

    /// What any program finds in the file.
    func flag() throws -> String {
        try directory.read("containers/\(Self.group)/is_broadcasting")
    }
}
