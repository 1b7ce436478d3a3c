import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// Containers in memory, and containers as URLs.
struct ContainerTests {
    @Test func containersInMemoryAreApart() throws {
        let (one, other) = (GroupContainer.inMemory(), GroupContainer.inMemory())
        try GroupFile("v", in: one, initialValue: 0).write(1)
        #expect(try other.currentNames() == [])
        let copy = one
        #expect(try GroupFile("v", in: copy, initialValue: 0).value == 1)
        #expect(one.path != other.path)
    }

    @Test func valuesInMemoryOutliveTheirFiles() throws {
        let container = GroupContainer.inMemory()
        do {
            try GroupFile("v", in: container, initialValue: 0).write(1)
        }
        #expect(try GroupFile("v", in: container, initialValue: 0).value == 1)
    }

    @Test func subscriptionsInMemoryAreReleased() async throws {
        final class Sentinel: Sendable {}
        weak var weakFile: GroupFile<Int>?
        weak var weakSentinel: Sentinel?
        do {
            let sentinel = Sentinel()
            let file = try GroupFile("v", in: .inMemory(), initialValue: 0)
            let told = Log<Int>()
            let subscription = file.sink {
                told.append($0)
                withExtendedLifetime(sentinel) {}
            }
            try await file.write(1)
            #expect(await told.first { $0 == 1 } != nil)
            (weakFile, weakSentinel) = (file, sentinel)
            subscription.cancel()
        }
        #expect(await eventually { weakFile == nil && weakSentinel == nil })
    }

    @Test(arguments: [false, true])
    func aValueOfAReadOnlyContainerIsReadOnly(creates: Bool) throws {
        let folder = try TemporaryDirectory()
        _ = try GroupContainer(directory: folder.path("c"))
        let container = try GroupContainer(directory: folder.path("c"), access: .readOnly)
        let file = try GroupFile(
            "v", in: container, initialValue: 0, codec: .json, options: GroupFileOptions(durability: .relaxed),
            creates: creates)
        #expect(file.access == .readOnly)
        #expect(throws: GroupFileError.self) { try file.write(1) }
        #expect(try container.currentNames() == [])
    }

    @Test func cancelledSubscriptionsKeepNothingAlive() async throws {
        weak var weakFile: GroupFile<Int>?
        weak var weakNames: ContainerNames?
        weak var weakDefaults: GroupDefaults?
        let subscriptions: [Subscription]
        do {
            let container = GroupContainer.inMemory()
            let file = try GroupFile("v", in: container, initialValue: 0)
            let (names, defaults) = (container.names, GroupDefaults(container: container))
            (weakFile, weakNames, weakDefaults) = (file, names, defaults)
            subscriptions = [
                file.sink { _ in }, names.sink { _ in }, defaults.observe("k", as: Int.self).sink { _ in },
            ]
        }
        #expect(weakFile != nil && weakNames != nil && weakDefaults != nil)
        for subscription in subscriptions { subscription.cancel() }
        #expect(await eventually { weakFile == nil && weakNames == nil && weakDefaults == nil })
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test func containerURLIsTheDirectoryMadeIfMissing() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryDirectory()
            folder.holdContainers()
            let url = try #require(
                FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.example.url-test"))
            #expect(url.isFileURL)
            #expect(url.path == folder.path("group.example.url-test"))
            var isDirectory: ObjCBool = false
            #expect(unsafe FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory))
            #expect(isDirectory.boolValue)
            let container = try GroupContainer(identifier: "group.example.url-test")
            #expect(container.path == url.path)
            try Data("5".utf8).write(to: url.appendingPathComponent("v"))
            #expect(try GroupFile("v", in: container, initialValue: 0).value == 5)
        }
    }

    @Test func whatIsNoIdentifierHasNoContainerURL() {
        for identifier in ["", "a/b", "..", ".hidden", "a\0b"] {
            #expect(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier) == nil)
        }
    }

    @Test func aContainerMayBeNamedByItsURL() throws {
        let folder = try TemporaryDirectory()
        let url = URL(fileURLWithPath: folder.path("with space é"))
        let container = try GroupContainer(directory: url)
        #expect(container.path == folder.path("with space é"))
        #expect(container.url.path == url.path)
        let below = try GroupContainer(identifier: "group.example", root: url)
        #expect(below.path == folder.path("with space é/group.example"))
        let web = try #require(URL(string: "https://example.com/v"))
        #expect(throws: GroupFileError.self) { try GroupContainer(directory: web) }
    }

    /// The container is moved away, or removed, between its creation and the look at it.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G4_aContainerThatIsTakenAwayWhileItIsMadeIsMadeAgain(place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let directory = folder.path("c")
        let left = Guarded(3)
        let container = try SystemCallTap.tapping { call, detail in
            guard call == .fstatat, detail == directory else { return .none }
            let isTaken = left.withLock { left in
                left -= 1
                return left >= 0
            }
            if isTaken { do { try FileManager.default.removeItem(atPath: directory) } catch { Issue.record(error) } }
            return .none
        } during: { () throws(GroupFileError) in
            try GroupContainer(directory: directory)
        }
        #expect(try container.currentNames() == [])
        #expect(left.withLock { $0 } < 0)
    }

    /// The error says that the value is unchanged only where a value was to be changed.
    @Test func anErrorAdvisesWhatFitsWhatWasTried() throws {
        let folder = try TemporaryDirectory()
        func message(
            _ failing: SystemCall, _ error: Errno, _ body: () throws(GroupFileError) -> Void
        ) -> String? {
            #expect(throws: GroupFileError.self) {
                try SystemCallTap.tapping({ call, _ in call == failing ? .fail(error) : .none }, during: body)
            }?.message
        }
        let new = message(.mkdirat, .noSpace) { () throws(GroupFileError) in
            _ = try GroupContainer(directory: folder.path("new"))
        }
        #expect(
            new
                == "cannot make or open the container: No space left on device; make room on the file system (see df and df -i)"
        )
        let container = try GroupContainer(directory: folder.path)
        let names = message(.open, .inputOutput) { () throws(GroupFileError) in _ = try container.currentNames() }
        #expect(names == "cannot list the container: Input/output error; the disk or its driver has failed (see dmesg)")
        let file = try GroupFile("v", in: container, initialValue: 0)
        let write = message(.fsync, .noSpace) { () throws(GroupFileError) in try file.write(1) }
        #expect(
            write?.hasSuffix(
                "No space left on device; make room on the file system (see df and df -i); the value is unchanged")
                == true)
        let lock = message(.flock, .noLocks) { () throws(GroupFileError) in try file.write(1) }
        #expect(
            lock?.hasSuffix("its file system cannot do that: put the container on another one; the value is unchanged")
                == true)
    }

    /// As /home is a link where it lies on another disk.
    @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/"), "nobody may make a link in the root"))
    func aLinkInTheRootIsFollowed() async throws {
        let folder = try TemporaryDirectory()
        let link = "/group-files-test-\(UUID().uuidString)"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
        defer { _ = unsafe unlink(link) }
        let file = try GroupFile("v", in: GroupContainer(directory: link + "/c"), initialValue: 0)
        let told = Log<Int>()
        let subscription = file.sink { told.append($0) }
        defer { subscription.cancel() }
        try await file.write(1)
        #expect(await told.first { $0 == 1 } != nil)
        try folder.write("2", to: "c/v")
        #expect(await told.first { $0 == 2 } != nil)
    }

    /// A link in /proc may lead to an open file or directory that no other path leads to. Such a link may serve as a
    /// directory's path; but a file could not be replaced there.
    @Test func whatIsOpenAndHasNoPathIsNoPlaceForAFile() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("1", to: "v")
        let open = try FileDescriptor.open(folder.path("v"), .readOnly)
        let path = "/proc/self/fd/\(open.rawValue)"
        let file = try GroupFile(path: path, initialValue: 0, codec: .json)
        #expect(try await file.read() == 1)
        try FileManager.default.removeItem(atPath: folder.path("v"))
        let error = await #expect(throws: GroupFileError.self) { try await file.write(2) }
        #expect(error?.errno == EXDEV && error?.message.contains("because it was removed") == true, "\(error as Any)")
        await #expect(throws: GroupFileError.self) { try await file.read() }
        // A directory can be used for as long as it exists, whatever its path.
        try FileManager.default.createDirectory(atPath: folder.path("d"), withIntermediateDirectories: false)
        let directory = try SystemCalls.Directory(path: folder.path("d"))
        let container = try GroupContainer(directory: "/proc/self/fd/\(directory.descriptor.rawValue)")
        let value = try GroupFile("w", in: container, initialValue: 1)
        #expect(try folder.read("d/w") == "1\n")
        try FileManager.default.removeItem(atPath: folder.path("d"))
        await #expect(throws: GroupFileError.self) { try await value.write(2) }
    }

    /// Where the kernel's statx does not report mounts, /proc does.
    @Test func mountsAreTold() throws {
        #expect(try Path.isSameMount("/proc/self", "/proc"))
        #expect(try !Path.isSameMount("/proc", "/dev/shm"))
    }

    @Test func anEmptyRootIsRefused() {
        let error = #expect(throws: GroupFileError.self) {
            try GroupContainer(identifier: "group.example.rootless", root: "", access: .readOnly)
        }
        #expect(error?.code == .invalidName)
    }
}
