import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import FileEvents
@testable import GroupFiles

/// G2: a writer has closed the file, and something else happens before the library reads it.
@Suite(.serialized) struct NextWriterTests {
    typealias Place = TemporaryDirectory.Place

    /// An observed value, written by a foreign writer.
    private struct Fixture {
        let folder: TemporaryDirectory
        let file: GroupFile<Int>
        let told = Log<Int>()

        init(_ place: Place) throws {
            folder = try TemporaryDirectory(on: place)
            for name in ["v", "other"] { try folder.write("1\n", to: name) }
            let container = try GroupContainer(directory: folder.path, access: .readOnly)
            file = try GroupFile("v", in: container, initialValue: 0, access: .readOnly)
        }

        /// Writes in place. The caller closes the file.
        func begin(_ text: String, in name: String = "v") throws -> FileHandle {
            let handle = try #require(FileHandle(forWritingAtPath: folder.path(name)))
            try handle.write(contentsOf: Data(text.utf8))
            return handle
        }

        /// Ends the write of `value`, and returns whether half of it was reported before, although the writer was
        /// steady.
        func finish(_ file: FileHandle, as value: Int, begun: Moment, half: Int) throws -> Bool {
            try file.seek(toOffset: 0)
            try file.write(contentsOf: Data("\(value)\n".utf8))
            try file.close()
            // A writer that pauses for 50 ms, as on a busy machine, is taken to be done.
            let isSteady = Moment.now - begun < .milliseconds(40)
            #expect(told.block { $0.last == value })
            return isSteady && told.elements.contains(half)
        }

        /// Writes `text`; `act` runs between the event that reports the write, and the read.
        func write(
            _ text: String, beforeItIsRead act: @escaping @Sendable () throws -> Void,
            whileTapped body: () throws -> Void
        ) throws {
            let path = folder.path("v")
            let isAwaited = Guarded(true)
            try SystemCallTap.tapping(everyThread: true) { call, detail in
                if call == .open, detail == path, isAwaited.withLock({ exchange(&$0, with: false) }) {
                    #expect(throws: Never.self) { try act() }
                }
                return .none
            } during: {
                try begin(text).close()
                try body()
            }
        }
    }

    /// When the first value is read, the next writer's events are already in the kernel's queue.
    @Test(arguments: Place.allCases)
    func G2_halfOfWhatTheNextWriterWritesIsNotRead(place: Place) async throws {
        let fixture = try Fixture(place)
        try await blocking {
            let subscription = fixture.file.sink { fixture.told.append($0) }
            defer { subscription.cancel() }
            var halves: [Int] = []
            // The half is the digit 2, followed by the rest of the first value.
            for value in stride(from: 1000, to: 1010, by: 2) {
                let writer = Log<(file: FileHandle, began: Moment)>()
                try fixture.write("\(value)\n") {
                    writer.append((try fixture.begin("2"), .now))
                } whileTapped: {
                    #expect(writer.block { !$0.isEmpty })
                    _ = fixture.told.block(within: .milliseconds(20)) { $0.contains(value + 1000) }
                    let (file, began) = try #require(writer.elements.last)
                    if try fixture.finish(file, as: value + 1, begun: began, half: value + 1000) {
                        halves.append(value)
                    }
                }
            }
            // Where this process's queue overflows, because other tests run in it too, whatever the file holds is read.
            #expect(halves.count <= 1, "\(halves)")
        }
    }

    /// The first writer's end is judged by a thread other than the one that reads events, as after a settle time. Before
    /// the value is read, that one has taken the next writer's events out of the kernel's queue.
    @Test(arguments: Place.allCases)
    func G2_halfOfWhatTheNextWriterWritesIsNotReadByAnotherThread(place: Place) async throws {
        let fixture = try Fixture(place)
        let (core, path) = (fixture.file.attachedCore, fixture.folder.path("v"))
        try await blocking {
            let subscription = fixture.file.sink { fixture.told.append($0) }
            defer { subscription.cancel() }
            var halves: [Int] = []
            for value in stride(from: 1000, to: 1010, by: 2) {
                try fixture.begin("\(value)\n").close()
                #expect(fixture.told.block { $0.last == value })
                let writer = Log<(file: FileHandle, began: Moment)>()
                SystemCallTap.tapping { call, detail in
                    if call == .open, detail == path, writer.elements.isEmpty {
                        #expect(throws: Never.self) { writer.append((try fixture.begin("2"), .now)) }
                        let end = Moment.now + .milliseconds(20)
                        while WatchHub.shared.hasUnreadEvents, Moment.now < end {}
                    }
                    return .none
                } during: {
                    core.namesChanged([.closeWrite])
                }
                _ = fixture.told.block(within: .milliseconds(10)) { $0.contains(value + 1000) }
                let (file, began) = try #require(writer.elements.last)
                if try fixture.finish(file, as: value + 1, begun: began, half: value + 1000) { halves.append(value) }
            }
            // As above.
            #expect(halves.count <= 1, "\(halves)")
        }
    }

    /// The waiting events report another file: nothing is read again for them, and the value is reported as soon as
    /// they are delivered.
    @Test(arguments: Place.allCases)
    func whatWaitsForEventsOfOthersIsToldThen(place: Place) async throws {
        let fixture = try Fixture(place)
        let other = try GroupFile(
            "other", in: GroupContainer(directory: fixture.folder.path, access: .readOnly), initialValue: 0,
            access: .readOnly)
        try await blocking {
            let subscriptions = [fixture.file.sink { fixture.told.append($0) }, other.sink { _ in }]
            defer { for subscription in subscriptions { subscription.cancel() } }
            for value in 1000..<1010 {
                try fixture.write("\(value)\n") {
                    try fixture.begin("\(value)\n", in: "other").close()
                } whileTapped: {
                    #expect(fixture.told.block(within: .seconds(5)) { $0.last == value })
                }
            }
        }
    }

    /// The store that opened the container through a link is held up, and delivers the first writer's events only when
    /// the second writer is at work: by then everybody has known of those events, and read the file.
    @Test(arguments: Place.allCases)
    func G2_whatAnotherStoreTellsLateIsNotTakenForTheNextWritersEnd(place: Place) async throws {
        let fixture = try Fixture(place)
        let folder = fixture.folder
        #expect(unsafe symlink(folder.path, folder.path("link")) == 0)
        let container = try GroupContainer(directory: folder.path("link"), access: .readOnly)
        let other = try GroupFile("other", in: container, initialValue: 0, access: .readOnly)
        try await blocking {
            let subscription = fixture.file.sink { fixture.told.append($0) }
            defer { subscription.cancel() }
            var halves: [Int] = []
            for value in stride(from: 1000, to: 1010, by: 2) {
                let isToBeHeldUp = Guarded(true)
                let (heldUp, released, isRead) = (Gate(), Gate(), Gate())
                Thread.detachNewThread {
                    SystemCallTap.tapping { call, detail in
                        if call == .fstatat, detail == folder.path("link"),
                            isToBeHeldUp.withLock({ exchange(&$0, with: false) })
                        {
                            heldUp.open()
                            released.wait()
                        }
                        return .none
                    } during: {
                        #expect(throws: Never.self) { try other.read() }
                    }
                    isRead.open()
                }
                #expect(heldUp.wait())
                try fixture.begin("\(value)\n").close()
                #expect(fixture.told.block { $0.last == value })
                let began = Moment.now
                let writer = try fixture.begin("2")
                // Waits until the other store has delivered the event; no barrier passes while this store is held up.
                while WatchHub.shared.hasUnreadEvents, Moment.now - began < .seconds(5) {}
                _ = fixture.told.block(within: .milliseconds(5)) { $0.contains(value + 1000) }
                released.open()
                #expect(isRead.wait())
                _ = fixture.told.block(within: .milliseconds(20)) { $0.contains(value + 1000) }
                if try fixture.finish(writer, as: value + 1, begun: began, half: value + 1000) { halves.append(value) }
            }
            // Two halves in five rounds were seen where other tests keep the processors busy.
            #expect(halves.count <= 2, "\(halves)")
        }
    }

    /// A second later than the first time it is read whatever that means: somebody may write without a pause.
    @Test func whoWritesWithoutAPauseIsReadOnceASecond() {
        var settling = Settling()
        let start = Moment.now
        for _ in 0..<2 {
            let answers = [0, 999, 1000].map { after in
                settling.note(.closeWrite, at: start, isReadable: true)
                return settling.holdsBack(at: start + .milliseconds(after))
            }
            #expect(answers == [true, true, false])
            settling.noteRead(
                nil, isNew: true, mayHaveBegun: false, begunAt: start + .seconds(1), by: start + .seconds(1))
        }
    }
}
