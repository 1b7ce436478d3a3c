import Dispatch
import FileEvents
import Foundation
import GroupFiles
import Observables

// What the documentation comments of the public modules show, compiled, as the articles are.

private func groupValue() async throws {
    final class Game {
        @GroupValue("luckyNumber", group: "group.com.example.radio") var luckyNumber = 0
    }

    let game = Game()
    game.luckyNumber = 7  // published when it returns
    try await game.$luckyNumber.update { $0 += 1 }  // no increment is lost
    for await number in game.$luckyNumber.values { print(number) }
}

private func dates(_ editor: GroupContainer) throws {
    struct Settings: Codable, Sendable {
        var since = Date()
    }

    let readable = GroupCodec<Settings>.json(
        encoder: { $0.dateEncodingStrategy = .iso8601 }, decoder: { $0.dateDecodingStrategy = .iso8601 })
    _ = try GroupFile("settings", in: editor, initialValue: Settings(), codec: readable)
}

private func groupFile() throws {
    let radio = try GroupContainer(identifier: "group.com.example.radio")
    let onAir = try GroupFile("is_broadcasting", in: radio, initialValue: false)
    let subscription = onAir.sink { isOn in print(isOn ? "on air" : "off air") }
    try onAir.write(true)
    subscription.cancel()
}

private func names(_ radio: GroupContainer) async {
    let subscription = radio.names.sink { names in print("values:", names) }
    for await names in radio.names.values { print(names) }
    subscription.cancel()
}

private func groupDefaults() async throws {
    let defaults = try GroupDefaults(suiteName: "group.com.example.radio")
    try defaults.set(7, forKey: "luckyNumber")
    print(defaults.integer(forKey: "luckyNumber"))
    for await number in defaults.observe("luckyNumber", as: Int.self).values { print(number ?? 0) }
    let subscription = defaults.observe("luckyNumber", as: Int.self).sink { print($0 ?? 0) }
    subscription.cancel()
}

private enum FileObservers {
    final class Lamp {
        private let observer = FileObserver(path: "/etc/lamp.conf", eventMask: [.write, .delete])

        init() {
            observer.setEventHandler { [weak observer] in print("changed:", observer?.data ?? []) }
            observer.activate()
        }
    }
}

private func volume() {
    let volume = ValueSubject(5)
    let subscription = volume.sink { print($0) }  // 5
    volume.send(6)  // 6
    subscription.cancel()
}
