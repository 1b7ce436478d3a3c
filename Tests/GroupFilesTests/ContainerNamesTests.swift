import Dispatch
import Foundation
import Observables
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// A container's names while its directory cannot be looked at.
struct ContainerNamesTests {
    /// Subscribes to the names of a directory that holds a value `v`, and waits until `v` has been reported.
    private func watchNames() async throws -> (folder: TemporaryDirectory, told: Log<[String]>, Subscription) {
        let folder = try TemporaryDirectory()
        try folder.write("1\n", to: "v")
        let told = Log<[String]>()
        let names = try GroupContainer(directory: folder.path, access: .readOnly).names
        let subscription = names.sink { told.append($0) }
        #expect(await told.first { $0 == ["v"] } != nil)
        return (folder, told, subscription)
    }

    @Test func whatCannotBeLookedAtIsNotGone() async throws {
        let (folder, told, subscription) = try await watchNames()
        defer { subscription.cancel() }
        let path = folder.path("v")
        let looks = Log<String>()
        try await blocking {
            try SystemCallTap.tapping(everyThread: true) { call, detail in
                guard call == .fstatat, detail == path else { return .none }
                looks.append(detail)
                return .fail(.accessDenied)
            } during: {
                try folder.replace("v", with: "2\n")
                // This proves that nothing happens: a name that is gone would be taken away 50 ms after the first look.
                _ = looks.block(within: .seconds(30)) { !$0.isEmpty }
                Foundation.Thread.sleep(forTimeInterval: 0.2)
            }
        }
        #expect(!looks.elements.isEmpty)
        try folder.write("1\n", to: "w")
        #expect(await told.first { $0.contains("w") } == ["v", "w"])
        #expect(told.elements == [["v"], ["v", "w"]])
    }

    /// Nothing reports when a descriptor is available again, so the library tries again before the regular look.
    @Test func whatCannotBeListedForWantOfADescriptorIsListedSoon() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("1\n", to: "v")
        let told = Log<[String]>()
        let names = try GroupContainer(directory: folder.path, access: .readOnly).names
        let path = folder.path
        let isExhausted = Guarded(true)
        let looks = Log<String>()
        await blocking {
            SystemCallTap.tapping(everyThread: true) { call, detail in
                guard call == .open, detail == path, isExhausted.withLock({ $0 }) else { return .none }
                looks.append(detail)
                return .fail(.tooManyOpenFiles)
            } during: {
                let subscription = names.sink { told.append($0) }
                defer { subscription.cancel() }
                #expect(names.value == [])
                // The library tries again and again while there is no descriptor.
                let first = looks.elements.count
                #expect(looks.block(within: .beforeTheHeartbeat) { $0.count > first + 2 })
                isExhausted.withLock { $0 = false }
                // A directory that could not be listed is not taken for an empty one.
                #expect(names.value == ["v"])
                #expect(told.block(within: .beforeTheHeartbeat) { $0.last == ["v"] })
            }
        }
    }

    /// A name that is gone is looked up once more when its time is over; if that look fails, it is not repeated again
    /// and again.
    @Test func whatCannotBeLookedUpIsNotLookedUpWithoutEnd() async throws {
        let (folder, told, subscription) = try await watchNames()
        defer { subscription.cancel() }
        let path = folder.path("v")
        let looks = Log<String>()
        try await blocking {
            try SystemCallTap.tapping(everyThread: true) { call, detail in
                guard call == .fstatat, detail == path else { return .none }
                defer { looks.append(detail) }
                return looks.elements.isEmpty ? .none : .fail(.accessDenied)
            } during: {
                try Directory(path: folder.path).unlink("v")
                // A listing, which other tests cause by mounting something, may take the name away before the second
                // look.
                let end = Moment.now + .testDeadline
                while looks.elements.count < 2, told.elements.last != [], Moment.now < end {
                    Foundation.Thread.sleep(forTimeInterval: 0.001)
                }
                #expect(looks.elements.count >= 2 || told.elements.last == [])
                // This proves that nothing happens: the name is not looked up every 50 ms.
                Foundation.Thread.sleep(forTimeInterval: 1)
            }
        }
        // Whenever another test mounts something, the name's time begins anew; mounts are noticed four times a second
        // at most.
        #expect(looks.elements.count < 12)
        try folder.write("1\n", to: "w")
        #expect(await told.first { $0.contains("w") } != nil)
    }

    /// Each name is looked up once more when its own time is over, before the regular look.
    @Test func oneNameAfterTheOtherGoes() async throws {
        let (folder, told, subscription) = try await watchNames()
        defer { subscription.cancel() }
        try folder.write("1\n", to: "w")
        #expect(await told.first { $0 == ["v", "w"] } != nil)
        try Directory(path: folder.path).unlink("v")
        #expect(await told.reach(within: .beforeTheHeartbeat) { $0.last == ["w"] })
        try Directory(path: folder.path).unlink("w")
        #expect(await told.reach(within: .beforeTheHeartbeat) { $0.last == [] })
    }

    /// All names are looked up where events were lost, and whenever the path may lead elsewhere.
    @Test(arguments: [true, false]) func whatWasNotToldIsLookedUp(isLook: Bool) async throws {
        let folder = try TemporaryDirectory()
        let listener = Listener()
        let watch = DirectoryNames(path: folder.path, usesNotifications: false, listener: listener)
        defer { watch.cancel() }
        let told = listener.told.elements.count
        if isLook { #expect(watch.lookForChanges()) } else { watch.everythingMayHaveChanged() }
        #expect(listener.told.elements[told...].contains("all"))
    }

    private final class Listener: NamesListener {
        let told = Log<String>()

        func namesMayHaveChanged(_ names: Set<ExactName>?, isSettled: Bool) -> Bool {
            told.append(names.map { $0.map(\.text).sorted().joined(separator: " ") } ?? "all")
            return true
        }
    }

    /// Thousands of names take a while, on a file system of another machine even longer.
    @Test func G8_aListingHoldsUpNobodyElse() async throws {
        let (folder, _, subscription) = try await watchNames()
        defer { subscription.cancel() }
        let other = try TemporaryDirectory()
        try other.write("1\n", to: "v")
        let value = try GroupFile("v", in: GroupContainer(directory: other.path, access: .readOnly), initialValue: 0)
        let told = Log<Int>()
        let observed = value.sink { told.append($0) }
        defer { observed.cancel() }
        #expect(await told.first { $0 == 1 } != nil)
        let path = folder.path("stuck")
        let stuck = Log<String>()
        try await blocking {
            let mayGoOn = DispatchSemaphore(value: 0)
            try SystemCallTap.tapping(everyThread: true) { call, detail in
                if call == .fstatat, detail == path {
                    stuck.append(detail)
                    mayGoOn.wait()
                    mayGoOn.signal()
                }
                return .none
            } during: {
                defer { mayGoOn.signal() }
                try folder.write("1\n", to: "stuck")
                #expect(stuck.block { !$0.isEmpty })
                // A change that the thread that reads events would report to the same listener.
                try folder.write("1\n", to: "w")
                try other.write("2\n", to: "v")
                #expect(told.block(within: .beforeTheHeartbeat) { $0.last == 2 })
            }
        }
    }
}
