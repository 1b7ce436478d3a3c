import TestSupport
import Testing

@testable import FileEvents

struct PathTargetTests {
    /// A path through directories and links, a change, and whether the path still leads to its target, as far as that
    /// can be told without a walk.
    static let changes: [(script: String, path: String, leaf: String?, change: String, isCurrent: Bool)] = [
        ("mkdir -p a/b", "a/b", "f", "true", true),
        ("mkdir -p a/b", "a/b", "f", "touch a/b/f", true),
        ("mkdir -p a/b; touch a/b/f", "a/b", "f", "rm a/b/f", true),
        ("mkdir -p a/b; touch a/b/f", "a/b", "f", "touch g; mv g a/b/f", true),
        ("mkdir -p a/b; touch a/b/f", "a/b", "f", "rm a/b/f; ln -s g a/b/f", false),
        ("mkdir -p a/b; ln -s g a/b/f", "a/b", "f", "true", false),
        ("mkdir -p a/b", "a/b", "f", "mv a/b c", false),
        ("mkdir -p a/b", "a/b", "f", "mv a/b c; mkdir a/b", false),
        ("mkdir -p a/b", "a/b", nil, "true", true),
        ("mkdir -p a/b", "a/b", nil, "mv a c", false),
        ("mkdir -p a/b; ln -s a l", "l/b", "f", "true", true),
        ("mkdir -p a/b c/b; ln -s a l", "l/b", "f", "ln -sfn c l", false),
        ("mkdir -p a/b; ln -s a l", "l/b", "f", "mv a c; ln -sfn c l", false),
        ("mkdir -p a/b; ln -s a l", "l/b", nil, "mv a c; ln -sfn c l", false),
    ]

    @Test(arguments: changes.indices, TemporaryDirectory.Place.allCases)
    func knowsWhetherThePathLeadsThereStill(index: Int, place: TemporaryDirectory.Place) async throws {
        let (script, path, leaf, change, isCurrent) = Self.changes[index]
        let folder = try TemporaryDirectory(on: place)
        try await folder.shell(script)
        let watch = PathWatch(path: folder.path(path), leaf: leaf, delegate: Recorder())
        let target = try #require(watch.target)
        watch.cancel()
        try await folder.shell(change)
        #expect(target.isCurrent(at: folder.path(path), leaf: leaf) == isCurrent, "\(path): \(change)")
    }
}
