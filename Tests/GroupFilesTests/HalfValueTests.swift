import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// G2: half of the text that a foreign writer writes in place may decode, too.
@Suite(.serialized) struct HalfValueTests {
    typealias Place = TemporaryDirectory.Place

    enum Opening: CaseIterable {
        case withoutNotifications, whileItIsWritten, before
    }

    /// Writes in place, piece by piece.
    private final class Writer: Sendable {
        private let path: String
        private let longest = Guarded(Duration.zero)

        init(_ path: String) {
            self.path = path
        }

        /// A writer that pauses for 50 ms, as on a busy machine, is taken to be done.
        var isSteady: Bool { longest.withLock { $0 < .milliseconds(40) } }

        func write(_ pieces: [String], pausing pause: Duration) throws {
            var last = Moment.now
            let file = try FileDescriptor.open(path, [.writeOnly, .truncate])
            for piece in pieces {
                if pause > .zero { usleep(useconds_t(pause / .microseconds(1))) }
                try file.writeAll(Array(piece.utf8))
                let (now, before) = (Moment.now, last)
                longest.withLock { $0 = max($0, now - before) }
                last = now
            }
        }
    }

    /// An update made from half a value is not corrected later, as a read is: nothing would be left of the other half.
    @Test(arguments: Place.allCases, Opening.allCases)
    func G2_anUpdateIsNotMadeFromHalfAValue(place: Place, opening: Opening) async throws {
        let folder = try TemporaryDirectory(on: place)
        let path = folder.path("v")
        @Sendable func open() throws -> GroupFile<Int> {
            try GroupFile(
                path: path, initialValue: 0, codec: .json, usesNotifications: opening != .withoutNotifications)
        }
        try await blocking {
            var (rounds, whole) = (0, 0)
            while whole < 3, rounds < 50 {
                rounds += 1
                try folder.write("10000011000001\n", to: "v")
                let early = opening == .before ? try open() : nil
                if let early { #expect(early.value == 10_000_011_000_001) }
                let (writer, done) = (Writer(path), Gate())
                Foundation.Thread.detachNewThread {
                    #expect(throws: Never.self) {
                        try writer.write("20000021000002\n".map(String.init), pausing: .milliseconds(5))
                    }
                    done.open()
                }
                // Waits until part of the text is there, which is a number.
                while !done.isOpen, !(1...5).contains(try Path.status(of: path).size) {}
                let file = try early ?? open()
                var seen = 0
                try file.update { value in
                    seen = value
                    value += 1
                }
                #expect(done.wait())
                guard writer.isSteady else { continue }
                whole += 1
                #expect(seen == 20_000_021_000_002)
                #expect(try folder.read("v") == "20000021000003\n")
            }
            if whole == 0 { BusyMachine.provesNothing("50 rounds") }
        }
    }

    /// Content that is held back until the waiting events are delivered is newer than the known content.
    @Test func whatIsHeldBackIsNewer() throws {
        var state = CoreState()
        let look = try Path.status(of: "/usr").fingerprint
        _ = state.noteRead(.bytes([50]), look, latest: look, begunAt: .now, .wanted)
        #expect(state.isStill(1, look))
        state.heldBack = (.bytes([50, 48]), look)
        #expect(!state.isStill(1, look))
    }

    /// The events that were waiting when earlier content was held back say nothing about later content.
    @Test func whatIsHeldBackWaitsForItsOwnEvents() {
        var state = CoreState()
        let first = state.holdBack((.bytes([50]), nil))
        // As a read does.
        state.heldBack = nil
        let second = state.holdBack((.bytes([50, 48]), nil))
        #expect(state.takeHeldBack(first) == nil)
        #expect(state.takeHeldBack(second)?.content == .bytes([50, 48]))
        #expect(state.takeHeldBack(second) == nil)
    }

    /// A file that has not changed for the settle time is whole, unless it is empty: the next writer may be truncating it.
    @Test(arguments: ["text", ""]) func G2_anEmptyFileIsNotDoneAlthoughItIsOld(text: String) async throws {
        let folder = try TemporaryDirectory()
        try folder.write(text, to: "v")
        let path = folder.path("v")
        try #require(await eventually { try !Path.status(of: path).fingerprint.isRecent })
        let file = try GroupFile(
            "v", in: GroupContainer(directory: folder.path), initialValue: "", codec: .text, durability: .relaxed)
        let core = file.attachedCore
        let number = core.state.withLock(\.known.number)
        await blocking {
            // Where the machine is so busy that the barrier takes longer than the settle time, this is false, too.
            let attempts = text.isEmpty ? 3 : 100
            let isDone = (0..<attempts).contains { _ in core.isDone(number, until: .now + .testDeadline) }
            #expect(isDone == !text.isEmpty)
        }
    }

    /// Nor where the events of the writer have not been judged yet: an empty text is a value. While a file on ext4 is
    /// truncated, it may be empty for milliseconds before its times change, and these may be old if the writer paused.
    @Test(arguments: [(writes: 200, pause: Duration.microseconds(1500)), (30, SettleTime.duration * 1.2)])
    func G2_anUpdateIsNotMadeFromATextThatWasJustTruncated(writes: Int, pause: Duration) async throws {
        let folder = try TemporaryDirectory(on: .disk)
        try folder.write("first\n", to: "v")
        let file = try GroupFile(
            "v", in: GroupContainer(directory: folder.path), initialValue: "", codec: .text, durability: .relaxed)
        try await blocking {
            var isProved = false
            for _ in 0..<20 where !isProved {
                let (writer, ended) = (Writer(folder.path("v")), Gate())
                Foundation.Thread.detachNewThread {
                    #expect(throws: Never.self) {
                        for number in 0..<writes {
                            try writer.write(["value \(number)\n"], pausing: .microseconds(100))
                            Thread.sleep(for: pause)
                        }
                    }
                    ended.open()
                }
                var (halves, longest) = (0, Duration.zero)
                while !ended.isOpen {
                    let begun = Moment.now
                    try file.update { if $0.isEmpty { halves += 1 } }
                    longest = max(longest, Moment.now - begun)
                    usleep(200)
                }
                // An update waits for a second at most.
                isProved = writer.isSteady && longest < .milliseconds(900)
                if isProved { #expect(halves == 0) }
            }
            if !isProved { BusyMachine.provesNothing("20 rounds") }
        }
    }

    /// The next writer has truncated the file before the last writer's text is read: the truncation shows before its
    /// event comes.
    @Test func G2_aTextThatWasJustTruncatedIsNotTold() async throws {
        let folder = try TemporaryDirectory(on: .disk)
        try folder.write("first\n", to: "v")
        let file = try GroupFile(
            "v", in: GroupContainer(directory: folder.path, access: .readOnly), initialValue: "", access: .readOnly,
            codec: .text)
        let told = Log<String>()
        let subscription = file.sink { told.append($0) }
        defer { subscription.cancel() }
        try await blocking {
            // A round proves nothing if the machine is busy, nor if it takes so long that any content that is read
            // counts.
            var proofs = 0
            for round in 0..<60 where proofs < 12 {
                let (writer, begun, before) = (Writer(folder.path("v")), Moment.now, told.elements.count)
                for number in 0..<200 {
                    try writer.write(["value \(round) \(number)\n"], pausing: .zero)
                    usleep(useconds_t.random(in: 0..<200))
                }
                let isProof = writer.isSteady && Moment.now - begun < .milliseconds(900)
                #expect(told.block { $0.last == "value \(round) 199" })
                if !isProof { continue }
                proofs += 1
                #expect(!told.elements.dropFirst(before).contains(""))
            }
            if proofs == 0 { BusyMachine.provesNothing("60 rounds") }
            // A writer that empties the file means to; this is only reported later.
            try Writer(folder.path("v")).write([], pausing: .zero)
            #expect(told.block { $0.last == "" })
        }
    }
}
