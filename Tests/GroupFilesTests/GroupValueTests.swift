import Foundation
import Observation
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// `@GroupValue`, and what goes wrong with the original outside a view.
struct GroupValueTests {
    final class Model {
        @GroupValue var number: Int

        init(_ container: GroupContainer) {
            _number = GroupValue(wrappedValue: 1, "number", in: container)
        }
    }

    actor Counter {
        @GroupValue var number: Int

        init(_ container: GroupContainer) {
            _number = GroupValue(wrappedValue: 1, "number", in: container)
        }

        func tick() throws { try $number.update { $0 += 1 } }
        func set(_ value: Int) { number = value }
    }

    /// A picker and a text field bound to one key, and the code of the field's view.
    struct View {
        @GroupValue var picker: Int
        @GroupValue var field: Int

        init(_ container: GroupContainer) {
            _picker = GroupValue(wrappedValue: 1, "number", in: container)
            _field = GroupValue(wrappedValue: 1, "number", in: container)
        }
    }

    @Test(arguments: Backend.allCases)
    func itReadsAndWritesAndNeverCreates(backend: Backend) throws {
        let bench = try backend.make()
        let model = Model(bench.container)
        #expect(model.number == 1)
        #expect(model.$number.status == .missing)
        #expect(try bench.container.currentNames() == [])
        model.number = 5
        #expect(model.number == 5)
        #expect(model.$number.status == .current)
        #expect(try GroupFile("number", in: bench.container, initialValue: 0).value == 5)
    }

    @Test(arguments: Backend.allCases)
    func anObjectReadsTheStoreBeforeAndAfterItsOwnFirstSet(backend: Backend) throws {
        let bench = try backend.make()
        let model = Model(bench.container)
        let other = try bench.container.file(named: "number", as: Int.self)
        try other.write(2)
        #expect(model.number == 2)
        model.number = 3
        try other.write(4)
        #expect(model.number == 4)
        model.number = 5
        try other.write(6)
        #expect(model.number == 6)
    }

    @Test(arguments: Backend.directories)
    func itSeesOtherProcessesAfterItsOwnSet(backend: Backend) async throws {
        let bench = try backend.make()
        let folder = try #require(bench.folder)
        let model = Model(bench.container)
        model.number = 3
        try folder.write("7", to: "c/number")
        #expect(await eventually { model.number == 7 })
        model.number = 8
        try folder.write("9", to: "c/number")
        #expect(await eventually { model.number == 9 })
    }

    @Test(arguments: Backend.allCases)
    func twoModelsThatCountOneKeyCountTogether(backend: Backend) async throws {
        let bench = try backend.make()
        let counters = [Counter(bench.container), Counter(bench.container)]
        for counter in counters { await counter.set(0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for counter in counters {
                group.addTask { for _ in 0..<25 { try await counter.tick() } }
            }
            try await group.waitForAll()
        }
        for counter in counters { #expect(await counter.number == 50) }
    }

    @Test(arguments: Backend.allCases)
    func aResetFromOutsideReachesEveryObjectThatHasEverSet(backend: Backend) async throws {
        let bench = try backend.make()
        let models = (0..<3).map { _ in Model(bench.container) }
        for (index, model) in models.enumerated() { model.number = index + 10 }
        #expect(models.map(\.number) == [12, 12, 12])
        if let folder = bench.folder {
            try folder.write("0", to: "c/number")
        } else {
            try await bench.container.file(named: "number", as: Int.self).write(0)
        }
        #expect(await eventually { models.map(\.number) == [0, 0, 0] })
        try await models[0].$number.update { $0 += 1 }
        #expect(models.map(\.number) == [1, 1, 1])
    }

    @Test func pickerAndTextFieldAndTheirCodeReadTheSame() throws {
        let view = View(.inMemory())
        view.picker = 4
        #expect(view.field == 4)
        #expect(view.picker == 4)
        view.field = 5
        #expect(view.picker == 5)
        #expect(view.field == 5)
        #expect(view.$field.value == 5)
    }

    @Test(arguments: ["bad/name", "", ".hidden"])
    func whatCannotBeOpenedIsInvalidAndReadsAsTheDefault(name: String) async throws {
        let model = GroupValue(wrappedValue: 3, name, group: "group.example.test")
        let grouped = GroupValue(wrappedValue: 3, "number", group: name)
        for value in [model, grouped] {
            #expect(value.wrappedValue == 3)
            guard case .invalid(let error) = value.projectedValue.status else {
                Issue.record("\(value.projectedValue.status)")
                continue
            }
            #expect(error.code == .invalidName)
            var failures = value.projectedValue.failures.makeAsyncIterator()
            #expect(await failures.next()?.code == .invalidName)
            value.wrappedValue = 4
            #expect(value.wrappedValue == 3)
            #expect(await failures.next()?.code == .invalidName)
            #expect(throws: GroupFileError.self) { try value.projectedValue.read() }
        }
    }

    @Test func aSetThatFailsLeavesTheValueAndIsToldEachTime() async throws {
        let container = GroupContainer.inMemory()
        let writer = try GroupFile("number", in: container, initialValue: 1.0)
        let value = GroupValue(wrappedValue: 0.5, "number", in: container)
        var failures = value.projectedValue.failures.makeAsyncIterator()
        for _ in 0..<2 {
            value.wrappedValue = .nan
            #expect(value.wrappedValue == 1)
            #expect(await failures.next()?.code == .unencodable)
        }
        value.wrappedValue = 2
        #expect(writer.value == 2)
        var later = value.projectedValue.failures.makeAsyncIterator()
        value.wrappedValue = .infinity
        #expect(await later.next()?.code == .unencodable)
        #expect(await failures.next()?.code == .unencodable)
        #expect(value.projectedValue.status == .current)
    }

    @Test func setsThatFailOneAfterTheOtherAreEachTold() async throws {
        let value = GroupValue(wrappedValue: [0.5], "numbers", in: .inMemory())
        let failures = value.projectedValue.failures
        for count in 1...40 { value.wrappedValue = Array(repeating: 0, count: count) + [.nan] }
        let places = Log<String?>()
        let reading = Task {
            var reader = failures.makeAsyncIterator()
            // The last failure; then the newest of those that come before the next call.
            places.append(await reader.next()?.codingPath)
            for count in 0..<40 { value.wrappedValue = Array(repeating: 0, count: count) + [.nan] }
            while let failure = await reader.next() { places.append(failure.codingPath) }
        }
        #expect(await places.reach { $0 == ["[40]"] + (24..<40).map { "[\($0)]" } })
        reading.cancel()
    }

    @Test func aSetThatFailedIsForgottenOnceOneSucceeds() async throws {
        let container = GroupContainer.inMemory()
        let value = GroupValue(wrappedValue: 0.5, "number", in: container)
        value.wrappedValue = .nan
        value.wrappedValue = 2
        // A new iterator's first failure is the next one that happens.
        var failures = value.projectedValue.failures.makeAsyncIterator()
        try Bench(container: container, folder: nil).put("no number", in: "number")
        #expect(await failures.next()?.code == .undecodable)
    }

    @Test func readOnlyContainersAreNotWritten() async throws {
        let bench = try Backend.tmpfs.make()
        let container = try GroupContainer(directory: bench.container.path, access: .readOnly)
        let value = GroupValue(wrappedValue: 1, "number", in: container)
        value.wrappedValue = 2
        #expect(value.wrappedValue == 1)
        var failures = value.projectedValue.failures.makeAsyncIterator()
        #expect(await failures.next()?.code == .readOnly)
        #expect(try bench.container.currentNames() == [])
    }

    @Test(arguments: Backend.allCases)
    func eachUseTriesAgainToOpen(backend: Backend) async throws {
        let bench = try backend.make()
        try bench.put("7", in: "number")
        let error = GroupFileError(.noContainers, "there is no place for containers")
        let isThere = Guarded(false)
        let store = DeferredStore(error) { [container = bench.container] () throws(GroupFileError) in
            if isThere.withLock({ $0 }) { return container.store }
            throw error
        }
        let file = GroupFile(
            "number", store: store, initialValue: 1, codec: .json,
            options: GroupFileOptions(durability: .relaxed, maximumSize: 100))
        let told = Log<Int>()
        let subscription = file.sink { told.append($0) }
        defer { subscription.cancel() }
        #expect(file.value == 1)
        #expect(file.status == .invalid(error))
        #expect(throws: error) { try file.write(2) }
        #expect(throws: error) { try file.read() }
        isThere.withLock { $0 = true }
        #expect(try await file.read() == 7)
        #expect(file.value == 7)
        #expect(file.status == .current)
        try await file.write(8)
        #expect(await told.first { $0 == 8 } != nil)
        #expect(try GroupFile("number", in: bench.container, initialValue: 0).value == 8)
    }

    @Test func whatIsOpenedLateAndMissingIsMissingAtOnce() throws {
        let bench = try Backend.tmpfs.make()
        let error = GroupFileError(.noContainers, "there is no place for containers")
        let attempts = Guarded(0)
        let store = DeferredStore(error) { [container = bench.container] () throws(GroupFileError) in
            let attempt = attempts.withLock {
                $0 += 1; return $0
            }
            if attempt > 1 { return container.store }
            throw error
        }
        let file = GroupFile(
            "number", store: store, initialValue: 1, codec: .json,
            options: GroupFileOptions(durability: .relaxed, maximumSize: 100))
        store.tryToOpen()
        #expect(file.status == .invalid(error))
        store.tryToOpen()
        #expect(file.status == .missing)
        #expect(file.value == 1)
    }

    @Test func optionalsNeedNoDefault() throws {
        struct Options {
            @GroupValue("name", in: Self.container) var name: String?
            static let container = GroupContainer.inMemory()
        }
        let options = Options()
        #expect(options.name == nil)
        options.name = "x"
        #expect(Options().name == "x")
    }

    @Test func theDirectoryOfAGroupIsMadeByTheFirstSet() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryDirectory()
            folder.holdContainers()
            let value = GroupValue(wrappedValue: 1, "number", group: "group.example.test")
            #expect(value.wrappedValue == 1)
            #expect(!FileManager.default.fileExists(atPath: folder.path("group.example.test")))
            value.wrappedValue = 2
            #expect(value.wrappedValue == 2)
            #expect(FileManager.default.fileExists(atPath: folder.path("group.example.test/number")))
        }
    }

    /// A file in the directory's place does not go away by itself; once it is gone, the value is missing.
    @Test func whereAFileIsInTheDirectorysPlaceItIsInvalid() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryDirectory()
            folder.holdContainers()
            try folder.write("", to: "group.example.test")
            let value = GroupValue(wrappedValue: 1, "number", group: "group.example.test")
            guard case .invalid(let error) = value.projectedValue.status else {
                Issue.record("\(value.projectedValue.status)")
                return
            }
            #expect(error.errno == Errno.notDirectory.rawValue)
            #expect(value.wrappedValue == 1)
            let states = Log<GroupFileStatus>()
            let subscription = value.projectedValue.sinkStates { states.append($0.status) }
            defer { subscription.cancel() }
            try FileManager.default.removeItem(atPath: folder.path("group.example.test"))
            #expect(await states.first { $0 == .missing } != nil)
            value.wrappedValue = 2
            #expect(value.projectedValue.status == .current)
        }
    }

    /// A file comes to the directory's place, or further up the path, while nothing else happens, then goes, and comes
    /// again.
    @Test(arguments: TemporaryDirectory.Place.allCases, ["c", "c/below", "c/below/it"])
    func G4_aFileInTheDirectorysPlaceIsToldWhenItComesAndGoes(
        place: TemporaryDirectory.Place, container: String
    ) async throws {
        let folder = try TemporaryDirectory(on: place)
        let root = try Directory(path: folder.path)
        let file = try GroupFile("v", in: GroupContainer(directory: folder.path(container)), initialValue: 0)
        try await file.write(1)
        let states = Log<(value: Int, status: GroupFileStatus)>()
        let subscription = file.sinkStates { states.append(($0.value, $0.status)) }
        defer { subscription.cancel() }
        try FileManager.default.removeItem(atPath: folder.path("c"))
        for _ in 1...2 {
            // Perhaps reported twice: where the value goes long before its directory, the change of its health is
            // reported, too.
            let missing = await states.wait(within: .beforeTheHeartbeat) {
                $0.last?.status == .missing ? $0.last?.value : nil
            }
            #expect(missing == 0)
            try folder.write("", to: "c")
            let invalid = await states.wait(within: .beforeTheHeartbeat) { states -> GroupFileError? in
                guard case .invalid(let error)? = states.last?.status else { return nil }
                return error
            }
            #expect(invalid?.errno == Errno.notDirectory.rawValue)
            try root.unlink("c")
        }
        try await file.write(2)
        #expect(await states.first { $0.value == 2 } != nil)
    }

    @Test func observationGoesThroughTheFile() async throws {
        let container = GroupContainer.inMemory()
        let model = Model(container)
        let changed = Log<Int>()
        withObservationTracking {
            _ = model.number
        } onChange: { [file = model.$number] in
            changed.append(file.value)
        }
        try await container.file(named: "number", as: Int.self).write(6)
        #expect(await changed.first { _ in true } == 6)
    }
}
