import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// G7: what a power cut may leave, at each system call of a change and after it, judged by a model of what disks keep.
struct PowerLossTests {
    typealias Outcome = DiskModel.Outcome

    private func bytes(_ text: String) -> Outcome { .bytes(Array(text.utf8)) }

    // MARK: The model

    @Test func theModelKeepsWhatWasSyncedAndNothingElse() {
        let v = DiskModel.Entry(directory: 1, name: "v")
        let new: [UInt8] = [7, 8]
        var model = DiskModel(names: [v: 2], contents: [2: [1]])
        func left() -> Set<Outcome> { model.outcomes(at: ["v"], below: 1) }
        #expect(left() == [.bytes([1])])
        model.apply(.name(DiskModel.Entry(directory: 1, name: "t"), 3))
        model.apply(.data(3, new))
        #expect(left() == [.bytes([1])])
        model.apply(.name(v, 3))
        #expect(left() == [.bytes([1]), .bytes(new), .bytes([7]), .bytes([])])
        model.apply(.sync(3, new))
        #expect(left() == [.bytes([1]), .bytes(new)])
        model.apply(.syncDirectory(1))
        #expect(left() == [.bytes(new)])
        model.apply(.name(v, nil))
        #expect(left() == [.bytes(new), .missing])
    }

    @Test func theModelKeepsNoDirectoryWhoseNameWasNotSynced() {
        var model = DiskModel(names: [:], contents: [:])
        model.apply(.name(DiskModel.Entry(directory: 1, name: "c"), 2))
        model.apply(.name(DiskModel.Entry(directory: 2, name: "v"), 3))
        model.apply(.sync(3, [7]))
        model.apply(.syncDirectory(2))
        #expect(model.outcomes(at: ["c", "v"], below: 1) == [.missing, .bytes([7])])
        model.apply(.syncDirectory(1))
        #expect(model.outcomes(at: ["c", "v"], below: 1) == [.bytes([7])])
    }

    // MARK: What happened

    enum Change: String, CaseIterable, Sendable {
        case write, update, remove
    }

    /// The call that the file system does not know; nil where it knows all of them.
    static let unknown: [SystemCall?] = [nil, .renameat2]

    /// The old value or the new one, whole, wherever the power fails; and the new one afterwards, where that is
    /// promised.
    @Test(.serialized, arguments: Durability.allCases, Change.allCases)
    func G7_aPowerCutLeavesWhatTheDurabilityPromises(durability: Durability, change: Change) async throws {
        try await blocking {
            for (place, unknown) in TemporaryDirectory.Place.allCases.flatMap({ place in
                Self.unknown.map { (place, $0) }
            }) {
                let folder = try TemporaryDirectory(on: place)
                let container = try GroupContainer(directory: folder.path("c"))
                let file = try GroupFile("v", in: container, initialValue: 12345, durability: .consistent)
                let own = try GroupFile("v", in: container, initialValue: 0, durability: durability)
                let recorder = try DiskRecorder(folder, value: ["c", "v"])
                let outcomes = try recorder.record(unknown: unknown) { () throws(GroupFileError) in
                    switch change {
                    case .write: try own.write(67890)
                    case .update: try own.update { $0 = 67890 }
                    case .remove: try own.remove()
                    }
                }
                withExtendedLifetime(file) {}
                let (old, new) = (bytes("12345\n"), change == .remove ? Outcome.missing : bytes("67890\n"))
                let last = try #require(outcomes.last)
                #expect(last.contains(new) && outcomes.first == [old])
                let bad = outcomes.filter { !$0.isSubset(of: [old, new]) }
                if durability == .relaxed {
                    // Without a sync the value may be torn: this shows that the model can find that.
                    #expect(!bad.isEmpty || change == .remove)
                } else {
                    #expect(bad.isEmpty, "\(bad)")
                }
                if durability == .durable { #expect(last == [new]) }
            }
        }
    }

    /// What others wrote with a lower durability is durable once an update returns, even if the update changes nothing.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G7_aDurableUpdateThatChangesNothingKeepsWhatIsThere(place: TemporaryDirectory.Place) async throws {
        try await blocking {
            let folder = try TemporaryDirectory(on: place)
            let container = try GroupContainer(directory: folder.path("c"))
            let relaxed = try GroupFile("v", in: container, initialValue: 12345, durability: .relaxed)
            let durable = try GroupFile("v", in: container, initialValue: 0, durability: .durable)
            let recorder = try DiskRecorder(folder, value: ["c", "v"])
            let outcomes = try recorder.record { () throws(GroupFileError) in
                try relaxed.write(67890)
                try durable.update { _ in }
            }
            #expect(outcomes.last == [bytes("67890\n")])
        }
    }

    /// Where the container and the directories above it are made for the value, `.durable` keeps them, too.
    @Test(arguments: TemporaryDirectory.Place.allCases, Durability.allCases)
    func G7_aPowerCutAfterTheFirstWrite(place: TemporaryDirectory.Place, durability: Durability) async throws {
        try await blocking {
            let folder = try TemporaryDirectory(on: place)
            let recorder = try DiskRecorder(folder, value: ["a", "b", "c", "v"])
            let outcomes = try recorder.record { () throws(GroupFileError) in
                let container = try GroupContainer(directory: folder.path("a/b/c"))
                _ = try GroupFile("v", in: container, initialValue: 12345, durability: durability)
            }
            let new = bytes("12345\n")
            let last = try #require(outcomes.last)
            #expect(last.contains(new) && outcomes.first == [.missing])
            let isWhole = outcomes.allSatisfy { $0.isSubset(of: [.missing, new]) }
            #expect(isWhole == (durability != .relaxed))
            if durability == .durable { #expect(last == [new]) }
        }
    }
}
