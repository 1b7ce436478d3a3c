import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// G4: a missing value that appears. The kernel is asked to report new names only while a value is missing.
@Suite(.fewAtOnce)
struct MissingValueTests {
    /// How the value is made. All but `renamed` cause no other event than that of a new name, or cause it too late.
    enum Making: String, CaseIterable, Sendable {
        case linked, linkedFromAnotherName, heldOpen, directory, renamed
    }

    /// Since when the value has been missing.
    enum Absence: String, CaseIterable, Sendable {
        case ever, withItsContainer, justNow, forAWhile
    }

    enum Observer: String, CaseIterable, Sendable {
        case readOnly, writer, path

        func open(_ folder: TemporaryDirectory) throws -> GroupFile<Int> {
            switch self {
            case .readOnly, .writer:
                let container = try GroupContainer(
                    directory: folder.path("c"), access: self == .writer ? .readWrite : .readOnly)
                return try GroupFile("v", in: container, initialValue: 0)
            case .path:
                return try GroupFile(
                    path: folder.path("c/v"), initialValue: 0, codec: .json,
                    options: GroupFileOptions(access: .readOnly))
            }
        }
    }

    /// Makes the value 2; returns what holds the file open.
    private static func make(_ making: Making, in folder: TemporaryDirectory) throws -> OpenFile {
        let container = try Directory(path: folder.path("c"))
        let file = OpenFile()
        switch making {
        case .linked: try container.link("other", to: "v")
        case .linkedFromAnotherName:
            try container.link("other", to: "v")
            try container.unlink("other")
        case .heldOpen: try file.open(folder.path("c/v"), writing: "2")
        case .directory: try container.makeDirectory("v", permissions: 0o700)
        case .renamed: try container.rename("other", to: "v", .replace)
        }
        return file
    }

    @Test(arguments: Making.allCases, Absence.allCases)
    func G4_aMissingValueThatComesIsSeen(making: Making, absence: Absence) async throws {
        for place in TemporaryDirectory.Place.allCases {
            // A writer makes a value that has never been there, so it is not missing.
            let hasBeen = absence == .justNow || absence == .forAWhile
            for observer in Observer.allCases where observer != .writer || hasBeen {
                try await check(making, absence, place, observer)
            }
        }
    }

    private func check(
        _ making: Making, _ absence: Absence, _ place: TemporaryDirectory.Place, _ observer: Observer
    ) async throws {
        let folder = try TemporaryDirectory(on: place)
        let root = try Directory(path: folder.path)
        func makeContainer() throws {
            try root.makeDirectory("c", permissions: 0o700)
            try folder.write("2", to: "c/other")
        }
        if absence != .withItsContainer { try makeContainer() }
        if absence == .justNow || absence == .forAWhile { try folder.write("1", to: "c/v") }
        let file = try observer.open(folder)
        let states = Log<(value: Int, status: GroupFileStatus, health: GroupFileHealth)>()
        let subscription = file.sinkStates { states.append(($0.value, $0.status, $0.health)) }
        defer { subscription.cancel() }
        switch absence {
        case .ever: break
        case .withItsContainer:
            try makeContainer()
            try #require(await states.first { $0.health == .live } != nil)
        case .justNow, .forAWhile:
            try #require(await states.first { $0.value == 1 } != nil)
            try Directory(path: folder.path("c")).unlink("v")
            if absence == .forAWhile { try #require(await states.first { $0.status == .missing } != nil) }
        }
        let writer = try Self.make(making, in: folder)
        defer { withExtendedLifetime(writer) {} }
        let found = await states.first(within: .beforeTheHeartbeat) { state in
            guard making == .directory else { return state.value == 2 && state.status == .current }
            if case .invalid(let error) = state.status { return error.code == .notRegularFile }
            return false
        }
        try #require(found != nil, "\(place), \(observer): \(file.value), \(file.status), \(file.health)")
    }

    /// The value is made after it was found missing, and before anybody has asked the kernel for new names.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G4_aValueThatIsMadeJustBeforeItIsToldIsFound(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try Directory(path: folder.path).makeDirectory("c", permissions: 0o700)
        try folder.write("2", to: "c/other")
        let container = try GroupContainer(directory: folder.path("c"), access: .readOnly)
        let (directory, path, other) = (folder.path("c"), folder.path("c/v"), folder.path("c/other"))
        let hasLooked = Guarded(false)
        let isMade = Guarded(false)
        let file = try SystemCallTap.tapping { call, detail in
            if call == .fstatat, detail == path { hasLooked.withLock { $0 = true } }
            if call == .inotify_add_watch, detail == directory, hasLooked.withLock({ $0 }),
                !isMade.withLock({ exchange(&$0, with: true) })
            {
                _ = unsafe link(other, path)
            }
            return .none
        } during: {
            try GroupFile("v", in: container, initialValue: 0)
        }
        #expect(isMade.withLock { $0 })
        let told = Log<Int>()
        let subscription = file.sink { told.append($0) }
        defer { subscription.cancel() }
        #expect(await told.first(within: .beforeTheHeartbeat) { $0 == 2 } != nil, "\(file.status)")
    }

    // MARK: What the kernel is asked for

    private func asksForNewNames(_ folder: TemporaryDirectory) throws -> Bool {
        try KernelWatch.events(of: folder.path("c"))?.contains(.create) ?? false
    }

    /// Looks at the directory that the container is in: a container with a value in it cannot be removed.
    private func asksForRemovals(_ folder: TemporaryDirectory) throws -> Bool {
        try KernelWatch.events(of: folder.path)?.contains(.delete) ?? false
    }

    /// Waits until that is so; throws if it does not become so.
    private func newNames(areAskedFor wanted: Bool, in folder: TemporaryDirectory) async throws {
        try #require(
            await eventually(within: .beforeTheHeartbeat) { try asksForNewNames(folder) == wanted })
    }

    @Test(arguments: TemporaryDirectory.Place.allCases)
    func newNamesAreAskedForWhileAValueIsMissing(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let root = try Directory(path: folder.path("c"))
        try folder.write("1", to: "c/v")
        var files: [GroupFile<Int>] = []
        for name in ["v", "w"] { files.append(try GroupFile(name, in: container, initialValue: 1)) }
        // The `GroupFile` has made the second value itself.
        try await newNames(areAskedFor: false, in: folder)
        #expect(try KernelWatch.events(of: folder.path("c")) != nil)

        try root.unlink("v")
        try await newNames(areAskedFor: true, in: folder)
        try root.unlink("w")
        for file in files { #expect(await eventually { file.status == .missing }) }
        try folder.write("2", to: "c/v")
        #expect(await eventually { files[0].value == 2 })
        #expect(try asksForNewNames(folder))
        try await files[1].write(2)
        try await newNames(areAskedFor: false, in: folder)
        for value in 3..<20 { try await files[1].write(value) }
        try await newNames(areAskedFor: false, in: folder)

        // A `GroupFile` that is gone misses nothing.
        try await files[0].remove()
        try await newNames(areAskedFor: true, in: folder)
        _ = files.removeFirst()
        try await newNames(areAskedFor: false, in: folder)
        try root.unlink("w")
        try await newNames(areAskedFor: true, in: folder)
        #expect(await eventually { files[0].status == .missing })
        // Nor can the directory be removed while its control directory is there, so nobody asks for removals: strangers
        // wake nobody.
        #expect(try !asksForRemovals(folder))
        try FileManager.default.removeItem(atPath: folder.path("c/.groupfile"))
        #expect(try await eventually(within: .beforeTheHeartbeat) { try asksForRemovals(folder) })
        files = []
        #expect(try await eventually { try !asksForRemovals(folder) })
        #expect(try await eventually { try KernelWatch.events(of: folder.path("c")) == nil })
    }

    /// The value is made after it was found missing, and then somebody else asks for new names.
    @Test func G4_aValueThatIsMadeJustBeforeAnothersAreToldIsFound() async throws {
        let folder = try TemporaryDirectory()
        try Directory(path: folder.path).makeDirectory("c", permissions: 0o700)
        try folder.write("2", to: "c/other")
        let (path, other, another) = (folder.path("c/v"), folder.path("c/other"), folder.path("c/another"))
        let opened = Guarded<[GroupFile<Int>]>([])
        let file = try SystemCallTap.tapping { call, detail in
            guard call == .fstatat, detail == path, opened.withLock({ $0.isEmpty }) else { return .none }
            _ = unsafe link(other, path)
            do {
                let file = try GroupFile(
                    path: another, initialValue: 0, codec: .json, options: GroupFileOptions(access: .readOnly))
                opened.withLock { $0.append(file) }
            } catch {
                Issue.record(error)
            }
            // What the look would have found just before.
            return .fail(.noEntry)
        } during: {
            try Observer.readOnly.open(folder)
        }
        let told = Log<Int>()
        let subscription = file.sink { told.append($0) }
        defer { subscription.cancel() }
        #expect(await told.first(within: .beforeTheHeartbeat) { $0 == 2 } != nil, "\(file.status)")
        #expect(opened.withLock { $0.map(\.status) } == [.missing])
    }

    /// The observer misses no value, and uses none.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G4_whoListsNamesIsToldOfALinkedOne(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        try folder.write("2", to: "other")
        let told = Log<[String]>()
        let subscription = container.names.sink { told.append($0) }
        defer { subscription.cancel() }
        #expect(await told.first { $0.isEmpty } != nil)
        try Directory(path: folder.path).link("other", to: "c/v")
        #expect(await told.first(within: .beforeTheHeartbeat) { $0 == ["v"] } != nil)
    }

    /// Two containers on one directory: when one is closed, the other one's value is still missing.
    @Test func G4_whoStaysIsToldWhereAnotherContainerIsClosed() async throws {
        let folder = try TemporaryDirectory()
        try Directory(path: folder.path).makeDirectory("c", permissions: 0o700)
        try folder.write("2", to: "c/other")
        let stays = try GroupFile(
            "v", in: GroupContainer(directory: folder.path("c"), access: .readOnly), initialValue: 0)
        let told = Log<Int>()
        let subscription = stays.sink { told.append($0) }
        defer { subscription.cancel() }
        do {
            _ = unsafe symlink("c", folder.path("link"))
            let container = try GroupContainer(directory: folder.path("link"))
            let goes = try GroupFile(
                path: container.url.path + "/v", initialValue: 0, codec: .json,
                options: GroupFileOptions(access: .readOnly))
            #expect(goes.status == .missing)
        }
        #expect(try asksForNewNames(folder))
        try Directory(path: folder.path("c")).link("other", to: "v")
        #expect(await told.first(within: .beforeTheHeartbeat) { $0 == 2 } != nil)
    }

    /// An observer that polls looks from time to time; it asks the kernel for nothing.
    @Test func G14_whoPollsAsksForNothing() throws {
        let folder = try TemporaryDirectory()
        try Directory(path: folder.path).makeDirectory("c", permissions: 0o700)
        let container = try GroupContainer(
            directory: folder.path("c"), access: .readOnly, sharing: .owner, usesNotifications: false)
        let file = try GroupFile("v", in: container, initialValue: 0)
        #expect(try file.read() == 0)
        #expect(try KernelWatch.events(of: folder.path("c")) == nil)
    }

    /// For the kernel, too, an exchanged directory is another one.
    @Test(arguments: ["mv c old; mkdir c", "mv c old; mv old c", "rm -r c; mkdir c"])
    func G4_aMissingValueIsToldWhereTheDirectoryWasExchanged(script: String) async throws {
        let folder = try TemporaryDirectory()
        try Directory(path: folder.path).makeDirectory("c", permissions: 0o700)
        try folder.write("2", to: "other")
        let file = try Observer.readOnly.open(folder)
        let told = Log<Int>()
        let subscription = file.sink { told.append($0) }
        defer { subscription.cancel() }
        try await folder.shell("\(script); ln other c/v")
        #expect(await told.first(within: .beforeTheHeartbeat) { $0 == 2 } != nil)
    }

    /// Everything that the kernel was asked for is lost with the descriptor.
    @Test func G4_newNamesAreAskedForAgainWhereTheDescriptorWasLost() async throws {
        let folder = try TemporaryDirectory()
        try Directory(path: folder.path).makeDirectory("c", permissions: 0o700)
        try folder.write("2", to: "other")
        try folder.write("1", to: "c/w")
        let observer = try Program(.product("probe"), ["deaf", folder.path("c"), "v", "w"])
        for line in ["v 0", "w 1"] { _ = await observer.output.first { $0 == line } }
        // The first value may be found because everything is looked at then; the new descriptor reports the second one.
        for value in 2...3 {
            try folder.write("\(value)", to: "c/w")
            try await observer.line("w \(value)")
        }
        #expect(observer.output.elements.contains("deaf"))
        try Directory(path: folder.path).link("other", to: "c/v")
        try await observer.line("v 2", within: .beforeTheHeartbeat)
    }
}

/// A file that a foreign writer has open, until this is released.
private final class OpenFile: Sendable {
    private let descriptor = Guarded<Int32?>(nil)

    func open(_ path: String, writing text: String) throws {
        let raw = unsafe Glibc.open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        try #require(raw >= 0)
        descriptor.withLock { $0 = raw }
        try #require(unsafe write(raw, text, text.utf8.count) == text.utf8.count)
    }

    deinit {
        if let raw = descriptor.withLock({ $0 }) { close(raw) }
    }
}
