import Dispatch
import FileEvents
import GroupFiles
import Observables

// What README.md shows, compiled. `SwiftBlockTests` sees to it that each of its Swift blocks stands here, line for line.
// Nothing calls these: the first one is run by .ci/run, as a program in a package of its own.

struct LuckyNumber {
    static func main() async throws {
        let radio = try GroupContainer(identifier: "group.com.example.radio")
        let luckyNumber = try GroupFile("luckyNumber", in: radio, initialValue: 7)

        // Now, and whenever any process writes; on a thread of the library, or `on:` a queue.
        let subscription = luckyNumber.sink { print("lucky number: \($0)") }

        // Under a lock: if two do this at once, neither increment is lost.
        try await luckyNumber.update { $0 += 1 }

        // Until some process writes 42.
        for await number in luckyNumber.values where number == 42 { break }
        subscription.cancel()
    }
}

func configuration() throws {
    struct Configuration: Codable, Sendable {
        var port = 8000
        var title = "Radio"
    }

    let container = try GroupContainer(directory: "/etc/radio", access: .readOnly)
    let configuration = try GroupFile("conf.json", in: container, initialValue: Configuration())

    let subscription = configuration.sink { print("\($0.title) at port \($0.port)") }

    let reporting = Task {
        for await failure in configuration.failures { print(failure) }
    }
    reporting.cancel()
    subscription.cancel()
}

func groupDefaults() throws {
    let defaults = try GroupDefaults(suiteName: "group.com.example.editor")
    try defaults.set("dark", forKey: "theme")
    print(defaults.string(forKey: "theme") ?? "none", defaults.bool(forKey: "isFullScreen"))
    let subscription = defaults.observe("theme", as: String.self).sink { print($0 ?? "none") }
    subscription.cancel()
}

final class Game {
    @GroupValue("luckyNumber", group: "group.com.example.radio") var luckyNumber = 0
    func win() throws { try $luckyNumber.update { $0 += 1 } }
}

final class HostsFile {
    private let observer = FileObserver(path: "/etc/hosts", eventMask: [.write, .delete], queue: .main)

    init() {
        observer.setEventHandler { [weak observer] in print(observer?.data ?? []) }
        observer.activate()
    }
}

func valueSubject() {
    let temperature = ValueSubject(20)
    let subscription = temperature.map { "\($0)°" }.sink { print($0) }
    temperature.send(21)
    subscription.cancel()
}
