import FileEvents
import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// G4: a directory that is removed while somebody has it open or as the working directory. The directory itself reports
/// its removal only once the last one has left it.
@Suite(.fewAtOnce)
struct PinnedDirectoryTests {
    /// What is there, the path to a value, what is done first, and what is done once the first part was reported.
    static let removals: [(setup: String, path: String, first: String, then: String)] = [
        ("mkdir c; echo 1 > c/v; mkdir c/.groupfile", "c/v", "true", "rm -r c; mkdir c; echo 2 > c/v"),
        ("mkdir c; echo 1 > c/v", "c/v", "mv c/v c/w; rm c/w; rmdir c", "mkdir c; echo 2 > c/v"),
        ("mkdir c; echo 1 > c/v", "c/v", "rm c/v", "rmdir c; mkdir c; echo 2 > c/v"),
        ("mkdir c", "c/v", "true", "rmdir c; mkdir c; echo 2 > c/v"),
        ("mkdir c n; echo 2 > n/v", "c/v", "true", "mv -T n c"),
        ("mkdir -p a/b/c; echo 1 > a/b/c/v", "a/b/c/v", "true", "rm -r a; mkdir -p a/b/c; echo 2 > a/b/c/v"),
        ("mkdir -p a/b/c; echo 1 > a/b/c/v", "a/b/c/v", "rm -r a/b/c", "rm -r a; mkdir -p a/b/c; echo 2 > a/b/c/v"),
        ("mkdir -p a/b", "a/b/c/v", "true", "rmdir a/b; mkdir -p a/b/c; echo 2 > a/b/c/v"),
        ("mkdir a; mkdir -p n/c; echo 2 > n/c/v", "a/c/v", "true", "mv -T n a"),
        ("mkdir c; ln -s c l; echo 1 > c/v", "l/v", "rm -r c", "mkdir c; echo 2 > l/v"),
        ("mkdir -p a/c; ln -s a/c l", "l/v", "true", "rmdir a/c; mkdir a/c; echo 2 > l/v"),
    ]

    enum Observer: CaseIterable, Sendable {
        case container, path, names, event
    }

    /// The directory is removed after the value was found missing, and before anybody has asked the kernel for
    /// removals.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G4_aDirectoryThatIsRemovedJustBeforeItIsToldIsFollowed(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let root = try Directory(path: folder.path)
        try root.makeDirectory("c", permissions: 0o700)
        let open = try Directory(path: folder.path("c"))
        let container = try GroupContainer(directory: folder.path("c"), access: .readOnly)
        let (parent, path, value) = (folder.path, folder.path("c"), folder.path("c/v"))
        let hasLooked = Guarded(false)
        let isRemoved = Guarded(false)
        let file = try SystemCallTap.tapping { call, detail in
            if call == .fstatat, detail == value { hasLooked.withLock { $0 = true } }
            if call == .inotify_add_watch, detail == parent, hasLooked.withLock({ $0 }),
                !isRemoved.withLock({ exchange(&$0, with: true) })
            {
                _ = unsafe rmdir(path)
                _ = unsafe mkdir(path, 0o700)
            }
            return .none
        } during: {
            try GroupFile("v", in: container, initialValue: 0)
        }
        #expect(isRemoved.withLock { $0 })
        let told = Log<Int>()
        let subscription = file.sink { told.append($0) }
        defer { subscription.cancel() }
        try folder.write("2", to: "c/v")
        #expect(await told.first(within: .beforeTheHeartbeat) { $0 == 2 } != nil, "\(file.status)")
        withExtendedLifetime(open) {}
    }

    @Test(arguments: removals.indices, Observer.allCases)
    func G4_aDirectoryThatIsRemovedWhileItIsOpenIsFollowed(index: Int, observer: Observer) async throws {
        for place in TemporaryDirectory.Place.allCases { try await check(index, observer, place) }
    }

    /// Logs what becomes of the path, until the returned closure is called.
    private static func observe(
        _ path: String, in folder: TemporaryDirectory, by observer: Observer, _ told: Log<String>
    ) throws -> @Sendable () -> Void {
        let (directory, name) = (folder.path(Path.beforeLastSlash(path) ?? ""), Path.afterLastSlash(path))
        switch observer {
        case .container, .path:
            let file =
                observer == .container
                ? try GroupFile(
                    name, in: GroupContainer(directory: directory, access: .readOnly), initialValue: 0)
                : try GroupFile(
                    path: folder.path(path), initialValue: 0, codec: .json,
                    options: GroupFileOptions(access: .readOnly))
            let subscription = file.sink { told.append("\($0)") }
            return { subscription.cancel() }
        case .names:
            let subscription = try GroupContainer(directory: directory, access: .readOnly).names.sink { names in
                for name in names { told.append(name) }
            }
            return { subscription.cancel() }
        case .event:
            let observer = FileObserver(path: folder.path(path))
            observer.setEventHandler { [weak observer] in
                // Not `.link`: it cannot be reported where this process's queue overflowed, as other tests may make it.
                guard let data = observer?.data else { return }
                told.append(data.contains(.write) ? "write" : "\(data)")
            }
            observer.activate()
            return { observer.cancel() }
        }
    }

    private func check(_ index: Int, _ observer: Observer, _ place: TemporaryDirectory.Place) async throws {
        let (setup, path, first, then) = Self.removals[index]
        let folder = try TemporaryDirectory(on: place)
        let open = try await folder.shell("\(setup); find . -mindepth 1 -type d").split(separator: "\n").map {
            try Directory(path: folder.path(String($0)))
        }
        let told = Log<String>()
        let end = try Self.observe(path, in: folder, by: observer, told)
        defer { end() }
        try await folder.shell(first)
        // By now the first part has been reported. Entries with `true` as the first part test both parts in one batch.
        await withCheckedContinuation { told in EventBarrier.whenPassed { told.resume() } }
        let before = told.elements.count
        try await folder.shell(then)
        // A name that is there again is not reported, so this writes a name that has not been there before.
        if observer == .names { try folder.write("1", to: (Path.beforeLastSlash(path) ?? "") + "/new") }
        let last = observer == .names ? "new" : observer == .event ? "write" : "2"
        #expect(
            await told.reach(within: .beforeTheHeartbeat) { $0.dropFirst(before).contains(last) },
            "\(first); \(then): \(told.elements)")
        // Changes of the file that has the path then are reported, too.
        if observer == .container || observer == .path {
            try folder.write("3", to: path)
            #expect(
                await told.first(within: .beforeTheHeartbeat) { $0 == "3" } != nil,
                "\(first); \(then): \(told.elements)")
        }
        withExtendedLifetime(open) {}
    }
}
