import Dispatch
import Glibc
import GroupFiles
import SystemCalls

/// What a process sees if its file system or kernel has run out of something. Run in namespaces of its own.
extension Probe {
    /// False if it is no such command.
    static func look(_ command: String, _ arguments: [String]) throws -> Bool {
        switch command {
        case "full": try full(arguments)
        case "set": try set(arguments)
        case "inherit": try inherit(arguments)
        case "make": try make(arguments)
        case "instances": try instances(arguments)
        case "mounted": try mounted(arguments)
        case "homeless": try homeless(arguments)
        case "deaf": try deaf(arguments)
        case "threadless": try threadless(arguments)
        case "crowded": try crowded(arguments)
        case "one-thread": try oneThread()
        default: return false
        }
        return true
    }

    /// Whether `body` succeeded, or how it failed.
    private static func outcome(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "ok"
        } catch let error as GroupFileError {
            return "\(error.code) \(error.errno ?? 0)"
        } catch {
            return "\(error)"
        }
    }

    /// DIR, on a small file system: writes a value when there is room, when there is none, and when there is room
    /// again.
    private static func full(_ arguments: [String]) throws {
        let container = try GroupContainer(directory: arguments[0] + "/c")
        let file = try GroupFile("v", in: container, initialValue: "", durability: .durable)
        let (small, large) = (String(repeating: "a", count: 1000), String(repeating: "b", count: 100_000))
        say("small \(outcome { try file.write(small) })")
        let root = try SystemCalls.Directory(path: arguments[0])
        let filler = try root.open("filler", [.writeOnly, .create], permissions: 0o600)
        let block = [UInt8](repeating: 0, count: 4096)
        var isFull = false
        while !isFull {
            do throws(Errno) { try filler.writeAll(block) } catch { isFull = true }
        }
        say("full \(outcome { try file.write(large) }), \(outcome { try file.update { $0 += large } })")
        let isKept = try file.value == small && file.read() == small && file.status == .current
        say("kept \(isKept)")
        try root.unlink("filler")
        try filler.truncate(to: 0)
        say("room \(outcome { try file.write(large) }) \(try file.read() == large)")
        say("left \(try SystemCalls.Directory(path: arguments[0] + "/c/.groupfile").names().sorted())")
    }

    /// DIR NAME VALUE: opens and writes. Prints whether that succeeded, and what can be read.
    private static func set(_ arguments: [String]) throws {
        let value = number(arguments[2])
        var file: GroupFile<Int>?
        let opened = outcome { file = try open(arguments[0], arguments[1]) }
        let written = outcome { try file?.write(value) }
        say("set \(value): \(opened), \(written), \(file.map { "\($0.value) \($0.status)" } ?? "")")
    }

    /// ROOT GROUP NAME, without HOME: a property that finds its group only after the property has been made.
    private static func homeless(_ arguments: [String]) throws {
        let wrapper = GroupValue(wrappedValue: 0, arguments[2], group: arguments[1])
        say("\(wrapper.wrappedValue), open \(wrapper.projectedValue.status == .current)")
        unsafe setenv("GROUP_CONTAINERS", arguments[0], 1)
        say("\(wrapper.wrappedValue), open \(wrapper.projectedValue.status == .current)")
        let following = follow(wrapper.projectedValue) {
            if case .polling = $0.health { true } else { false }
        }
        expect("polls", following.told, within: 20)
    }

    /// DIR NAME: prints which descriptors a program inherits that is started within an update.
    private static func inherit(_ arguments: [String]) throws {
        let file = try open(arguments[0], arguments[1])
        let subscription = file.sink { _ in }
        try file.update { value in
            value += 1
            try run(["ls", "-l", "/proc/self/fd"])
        }
        subscription.cancel()
    }

    /// DIR NAME owner|group VALUE: creates what is missing, and writes.
    private static func make(_ arguments: [String]) throws {
        do throws(GroupFileError) {
            let container = try GroupContainer(
                directory: arguments[0], sharing: Sharing(rawValue: arguments[2]) ?? .owner)
            let file = try GroupFile(arguments[1], in: container, initialValue: 0)
            try file.write(number(arguments[3]))
            say("made \(try file.read())")
        } catch {
            say("\(error.code)")
        }
    }

    /// Replaces a value as a foreign program does.
    static func replace(_ directory: String, _ name: String, _ value: Int) throws {
        let directory = try SystemCalls.Directory(path: directory)
        let file = try directory.open("n", [.writeOnly, .create, .truncate], permissions: 0o600)
        try file.writeAll(Array("\(value)\n".utf8))
        try directory.rename("n", to: name, .replace)
    }

    /// Subscribes; the semaphore is signalled for each state that `found` accepts.
    static func follow(
        _ file: GroupFile<Int>, _ found: @escaping @Sendable (GroupFileState<Int>) -> Bool
    ) -> (told: DispatchSemaphore, subscription: Subscription) {
        let told = DispatchSemaphore(value: 0)
        return (told, file.sinkStates { if found($0) { told.signal() } })
    }

    static func expect(_ what: String, _ told: DispatchSemaphore, within seconds: Int) {
        say("\(what) \(told.wait(timeout: .now() + .seconds(seconds)) == .success)")
    }

    /// DIR: the user has no inotify instances, and then gets some.
    private static func instances(_ arguments: [String]) throws {
        let limit = "/proc/sys/user/max_inotify_instances"
        try FileDescriptor.open(limit, .writeOnly).writeAll(Array("0".utf8))
        try replace(arguments[0], "v", 1)
        let file = try open(arguments[0], "v", .readOnly)
        if case .polling(let reason) = file.health { say("polling \(reason)") } else { say("\(file.health)") }
        let two = follow(file) { $0.value == 2 }
        try replace(arguments[0], "v", 2)
        expect("polled", two.told, within: 20)
        let live = follow(file) { $0.health == .live }
        try FileDescriptor.open(limit, .writeOnly).writeAll(Array("16".utf8))
        expect("live", live.told, within: 20)
        let three = follow(file) { $0.value == 3 }
        try replace(arguments[0], "v", 3)
        expect("told", three.told, within: 20)
    }

    /// DIR PLACE, where PLACE is DIR or a directory above it: a file system is mounted there, unmounted, and mounted
    /// again. With a third argument, no descriptor is left for the mount table at first.
    private static func mounted(_ arguments: [String]) throws {
        if arguments.count < 3 { return try mount(arguments[0], at: arguments[1]) {} }
        let areScarce = Guarded(true)
        try SystemCallTap.tapping(
            everyThread: true,
            { call, detail in
                guard call == .open, detail == "/proc/self/mountinfo", areScarce.withLock({ $0 }) else { return .none }
                return .fail(.tooManyOpenFiles)
            }
        ) {
            try mount(arguments[0], at: arguments[1]) { areScarce.withLock { $0 = false } }
        }
    }

    private static func mount(_ directory: String, at place: String, onceOpen: () -> Void) throws {
        try replace(directory, "v", 1)
        let file = try open(directory, "v", .readOnly)
        func expectValue(_ value: Int, _ what: String, _ change: () throws -> Void) throws {
            let following = follow(file) { $0.value == value }
            try change()
            expect(what, following.told, within: 20)
        }
        func mount() throws {
            try run(["mount", "-t", "tmpfs", "none", place])
            if place != directory { try run(["mkdir", directory]) }
            try replace(directory, "v", 2)
        }
        try expectValue(1, "before") {}
        onceOpen()
        try expectValue(0, "a change") { try replace(directory, "v", 0) }
        try expectValue(1, "another") { try replace(directory, "v", 1) }
        try expectValue(2, "over it", mount)
        try expectValue(1, "again") { try run(["umount", place]) }
        try expectValue(2, "anew", mount)
        try expectValue(3, "its write") { try replace(directory, "v", 3) }
    }

    /// DIR NAME…: prints each change of these values; the next read of events fails.
    private static func deaf(_ arguments: [String]) throws {
        let files = try arguments.dropFirst().map { try open(arguments[0], $0, .readOnly) }
        let hasFailed = Guarded(false)
        SystemCallTap.tapping(
            everyThread: true,
            { call, detail in
                guard call == .read, detail == "inotify" else { return .none }
                let isFirst = !hasFailed.withLock { exchange(&$0, with: true) }
                if isFirst { say("deaf") }
                return isFirst ? .fail(.inputOutput) : .none
            }
        ) {
            let subscriptions = files.map { file in file.sink { say("\(file.name) \($0)") } }
            withExtendedLifetime(subscriptions) { waitForever() }
        }
    }

    private static func run(_ command: [String]) throws {
        let input = try FileDescriptor.open("/dev/null", .readOnly)
        let child = try ChildProcess.spawn(command, input: input, environment: [], leadsGroup: false)
        let ending = try child.wait()
        if ending != .exited(0) { say("\(command): \(ending)") }
    }
}
