import Dispatch
import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// G4: what changes at the very moment at which somebody begins to observe.
struct RegistrationTests {
    /// How the value appears or changes while the observer registers for it.
    enum Change: String, CaseIterable, Sendable {
        case renamed, written, directoryMade, linked
    }

    private static let trials = 340

    /// Some 2,700 trials with jitter, and no miss. Nobody else watches the directory of a trial, so each trial
    /// registers anew.
    @Test(.serialized, arguments: TemporaryDirectory.Place.allCases, Change.allCases)
    func G4_nothingIsMissedWhileRegistering(place: TemporaryDirectory.Place, change: Change) async throws {
        try await blocking {
            let folder = try TemporaryDirectory(on: place)
            var random = SeededGenerator.ofThisRun()
            for trial in 1...Self.trials {
                try Directory(path: folder.path).makeDirectory("\(trial)", permissions: 0o700)
                let root = try Directory(path: folder.path("\(trial)"))
                if change == .directoryMade {
                    try root.makeDirectory("n", permissions: 0o700)
                    try folder.write("\(trial)", to: "\(trial)/n/v")
                } else {
                    try root.makeDirectory("c", permissions: 0o700)
                    if change != .linked { try folder.write("0", to: "\(trial)/c/v") }
                    try folder.write("\(trial)", to: "\(trial)/n")
                }
                let delay = Duration.microseconds(.random(in: 0...400, using: &random))
                let isStarted = DispatchSemaphore(value: 0)
                let isDone = DispatchSemaphore(value: 0)
                let writer = Thread {
                    isStarted.signal()
                    let moment = Moment.now + delay
                    while Moment.now < moment {}
                    do {
                        switch change {
                        case .renamed: try root.rename("n", to: "c/v", .replace)
                        case .directoryMade: try root.rename("n", to: "c", .replace)
                        case .linked: try root.link("n", to: "c/v")
                        case .written:
                            try root.open("c/v", [.writeOnly, .truncate]).writeAll(Array("\(trial)".utf8))
                        }
                    } catch {
                        Issue.record(error)
                    }
                    isDone.signal()
                }
                writer.start()
                isStarted.wait()
                let container = try GroupContainer(directory: folder.path("\(trial)/c"), access: .readOnly)
                let file = try GroupFile("v", in: container, initialValue: -1)
                let told = DispatchSemaphore(value: 0)
                let subscription = file.sink { if $0 == trial { told.signal() } }
                // This ends before the heartbeat, which would find the value in any case.
                let outcome = told.wait(timeout: .now() + .seconds(20))
                #expect(outcome == .success, "trial \(trial), \(delay): \(file.value), \(file.status), \(file.health)")
                subscription.cancel()
                isDone.wait()
                if outcome != .success { return }
            }
        }
    }
}
