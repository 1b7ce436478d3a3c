import Dispatch
import FileEvents
import Foundation
import GroupFiles
import Observables
import Observation

// What the articles of the .docc catalogues show, compiled. `SwiftBlockTests` sees to it that each of their blocks stands
// here, line for line. Nothing calls these.

private struct Settings: Codable, Sendable {
    var theme = "light"
    var fontSize = 12
}

private enum OfTheMainActor {
    @MainActor final class Window {
        var theme = "light"
        private var subscription: Subscription?

        func follow(_ settings: GroupFile<Settings>) {
            subscription = settings.sink(on: .main) { [weak self] settings in
                MainActor.assumeIsolated { self?.theme = settings.theme }
            }
        }
    }
}

private func overview() throws {
    let radio = try GroupContainer(identifier: "group.com.example.radio")
    let onAir = try GroupFile("is_broadcasting", in: radio, initialValue: false)
    let subscription = onAir.sink { isOn in print(isOn ? "on air" : "off air") }
    try onAir.write(true)
    subscription.cancel()
}

private func gettingStarted() throws {
    struct Settings: Codable, Sendable {
        var theme = "light"
        var fontSize = 12
    }

    let editor = try GroupContainer(identifier: "group.com.example.editor")
    let settings = try GroupFile("settings", in: editor, initialValue: Settings())

    try settings.update { $0.fontSize += 1 }
    try settings.write(Settings(theme: "dark", fontSize: 14))
    try settings.remove()
}

private func observing() async throws {
    let container = try GroupContainer(identifier: "group.com.example.editor", access: .readOnly)
    let settings = try GroupFile("settings", in: container, initialValue: Settings())

    let subscription = settings.sink { print($0.theme) }

    for await value in settings.values {
        print(value.fontSize)
    }

    let dark = try await settings.first(timeout: .seconds(5)) { $0.theme == "dark" }
    print(dark)

    for await failure in settings.failures {
        print(failure)
    }

    for await value in settings.values {
        print(value.theme)
    }

    withObservationTracking {
        print(settings.value.theme)
    } onChange: {
        print("now", settings.value.theme)
    }
    subscription.cancel()
}

private func testing() throws {
    let container = GroupContainer.inMemory()
    let settings = try GroupFile("settings", in: container, initialValue: Settings())
    print(settings)
}

private func waiting(_ editor: GroupContainer) throws {
    let settings = try GroupFile(
        "settings", in: editor, initialValue: Settings(), lockTimeout: .milliseconds(200))
    do {
        try settings.update { $0.fontSize += 1 }
    } catch {
        if error.code == .timedOut { print(error) }
    }
}

private enum Enlarging {
    @MainActor func enlarge(_ settings: GroupFile<Settings>) async throws {
        try await settings.update { $0.fontSize += 1 }
    }

    func publishUntilCancelled(_ progress: GroupFile<Int>) async throws {
        func finish() throws(GroupFileError) { try progress.write(0) }
        do {
            while true {
                try await progress.update { $0 += 1 }
                try await Task.sleep(for: .seconds(1))
            }
        } catch is CancellationError {
            try finish()
        }
    }
}

private enum Upgrading {
    struct OldSettings: Codable, Sendable {
        var theme = "light"
        var nickname: String?
    }

    struct NewSettings: Codable, Sendable {
        var theme = "light"
        var nickname: String?
        var fontSize = 12
    }

    static func share(_ editor: GroupContainer) throws {
        let old = try GroupFile("settings", in: editor, initialValue: OldSettings())
        let new = try GroupFile("settings", in: editor, initialValue: NewSettings())

        try new.write(NewSettings(theme: "dark", nickname: "Ann", fontSize: 14))
        try old.update { $0.nickname = nil }
        // {"fontSize":14,"theme":"dark"}
        print(new.value.fontSize)
    }

    struct OldJob: Codable, Sendable { var name: String }

    struct NewJob: Codable, Sendable {
        var name: String
        var host: String?
    }

    static func list(_ editor: GroupContainer) throws {
        let newJobs = try GroupFile("jobs", in: editor, initialValue: [NewJob]())
        let oldJobs = try GroupFile("jobs", in: editor, initialValue: [OldJob]())

        try newJobs.write([NewJob(name: "build", host: "a"), NewJob(name: "test", host: "b")])
        try oldJobs.update { jobs in
            jobs.append(OldJob(name: "ship"))
            jobs.removeFirst()
        }
        // [{"host":"b","name":"test"},{"name":"ship"}]
    }
}

private enum Models {
    @Observable final class Model {
        @ObservationIgnored
        @GroupValue("luckyNumber", group: "group.com.example.radio") var luckyNumber = 0
    }

    @MainActor @Observable final class ThemeModel {
        private(set) var theme = "light"
        @ObservationIgnored private var subscription: Subscription?

        init(_ settings: GroupFile<Settings>) {
            subscription = settings.sink(on: .main) { [weak self] value in
                MainActor.assumeIsolated { self?.theme = value.theme }
            }
        }
    }
}

private enum Porting {
    static func values() throws {
        let radio = try GroupContainer(identifier: "group.com.example.radio")
        let broadcast = try GroupFile("is_broadcasting", in: radio, initialValue: false)

        var subscriptions: Set<Subscription> = []
        broadcast.sink(on: .main) { isOn in
            print(isOn ? "Broadcasting" : "Not Broadcasting")
        }.store(in: &subscriptions)
    }

    static func preferences() throws {
        let defaults = try GroupDefaults(suiteName: "group.com.example.radio")
        defaults.register(defaults: ["volume": 5])
        try defaults.set(7, forKey: "volume")
        print(defaults.integer(forKey: "volume"))

        let subscription = defaults.observe("volume", as: Int.self).sink { volume in
            print(volume ?? 0)
        }
        subscription.cancel()
    }

    final class Player {
        @GroupValue("volume", group: "group.com.example.radio") var volume = 5

        func louder() throws {
            try $volume.update { $0 += 1 }
        }
    }

    static func files(_ radio: GroupContainer) throws {
        let group = "group.com.example.radio"
        let url = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
        let picture = url?.appending(path: "cover.png")
        let cover = try GroupFile("cover.png", in: radio, initialValue: Data(), codec: .data)
        print(picture?.path ?? group, cover)
    }
}

private enum Observing {
    final class HostsFile {
        private let observer = FileObserver(path: "/etc/hosts", eventMask: [.write, .delete], queue: .main)

        init() {
            observer.setEventHandler { [weak observer] in print(observer?.data ?? []) }
            observer.setCancelHandler { print("no longer observed") }
            observer.activate()
        }
    }

    @MainActor final class LampModel {
        private(set) var events: FileObserver.FileSystemEvent = []
        private let observer = FileObserver(path: "/etc/lamp.conf", queue: .main)

        init() {
            observer.setEventHandler { [weak self] in
                MainActor.assumeIsolated { self?.changed() }
            }
            observer.activate()
        }

        private func changed() { events.formUnion(observer.data) }
    }
}

private func observables() async throws {
    let temperature = ValueSubject(20)
    let subscription = temperature.map { "\($0)°" }.removeDuplicates().sink { print($0) }
    temperature.send(21)

    var subscriptions: Set<Subscription> = []
    let search = ValueSubject("")
    search
        .debounce(for: .milliseconds(300))
        .filter { $0.count > 2 }
        .receive(on: .main)
        .sink { print("search for", $0) }
        .store(in: &subscriptions)

    for await degrees in temperature.values {
        print(degrees)
    }

    let warm = try await temperature.first(timeout: .seconds(60)) { $0 > 25 }
    print(warm)
    subscription.cancel()
}
