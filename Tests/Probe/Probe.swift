import Dispatch
import Glibc
import GroupFiles
import SystemCalls

/// A process for contract tests: does with the public API what its command line says, prints what it sees, and ends
/// when it has nothing more to do, or is killed.
@main
enum Probe {
    static func main() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let command = arguments.removeFirst()
        if try work(command, arguments) || look(command, arguments) { return }
        switch command {
        case "watch": try watch(arguments)
        case "text": try text(arguments)
        case "relative": relative(arguments)
        case "events": events(arguments)
        case "observed": try observed(arguments)
        case "write": try write(arguments)
        case "count": try count(arguments)
        case "hold": try hold(arguments)
        case "crash": try crash(arguments)
        case "steps": try steps(arguments)
        case "idle": try idle(arguments)
        case "blocked": try blocked(arguments)
        case "stalled": try stalled(arguments)
        case "descriptors": try descriptors(arguments)
        case "taken-descriptors": try takenDescriptors(arguments)
        case "without-streams": try withoutStreams(arguments)
        case "nested": try nested(arguments)
        case "containers": try containers(arguments)
        case "refusals": refusals(arguments)
        case "join": try join(arguments)
        case "fork": try forked(arguments)
        case "fork-defaults": try forkedDefaults(arguments)
        case "fork-waiting": try forkedWaiting(arguments)
        case "fork-letting-go": try forkedLettingGo(arguments)
        case "fork-while-reading": try forkedWhileReading(arguments)
        case "fork-while-opening": try forkedWhileOpening(arguments)
        case "fork-within": try forkedWithin(arguments)
        case "fork-between": try forkedBetween(arguments)
        case "fork-observing": try forkedObserving(arguments)
        case "users": try users(arguments)
        case "blobs": try blobs(arguments)
        case "cause": try cause(arguments)
        case "hooked": try hooked(arguments)
        case "leave-loop": try leave(arguments)
        case "fork-when-told": try forkWhenTold(arguments)
        case "fork-before-next": try forkBeforeNext(arguments)
        case "fork-before-body": try forkBeforeBody()
        case "fork-among-many": try forkAmongMany(arguments)
        case "blocked-in-turn": try blockedInTurn(arguments)
        case "blocked-loops": try blockedLoops(arguments)
        case "first": try first(arguments)
        case "first-blindly": try firstBlindly(arguments)
        case "second": try second(arguments)
        case "second-watching": try secondWatching(arguments)
        case "exchange": try exchangePaths(arguments)
        default:
            say("unknown command \(command)")
            exit(64)
        }
    }

    static func open(_ directory: String, _ name: String, _ access: Access = .readWrite) throws -> GroupFile<Int> {
        try GroupFile(
            name, in: try GroupContainer(directory: directory, access: access), initialValue: 0, access: access)
    }

    static func number(_ text: String) -> Int {
        guard let number = Int(text) else {
            say("no number: \(text)")
            exit(64)
        }
        return number
    }

    static func waitForever() -> Never {
        while true { pause() }
    }

    /// DIR NAME FIRST LAST [relaxed|consistent|durable]: writes the numbers one after the other.
    static func write(_ arguments: [String]) throws {
        let container = try GroupContainer(directory: arguments[0])
        let durability = arguments.count > 4 ? Durability(rawValue: arguments[4]) ?? .relaxed : .relaxed
        let file = try GroupFile(arguments[1], in: container, initialValue: 0, durability: durability)
        for value in number(arguments[2])...number(arguments[3]) {
            try file.write(value)
        }
        say("done \(arguments[3])")
    }

    /// DIR NAME TIMES: adds one, so many times; prints each new number.
    static func count(_ arguments: [String]) throws {
        let container = try GroupContainer(directory: arguments[0])
        let file = try GroupFile(arguments[1], in: container, initialValue: 0, durability: .relaxed)
        for _ in 0..<number(arguments[2]) {
            let made = try file.update { value in
                value += 1
                return value
            }
            say("made \(made)")
        }
        say("done")
    }

    /// DIR NAME: holds the lock until it is killed.
    static func hold(_ arguments: [String]) throws {
        let file = try open(arguments[0], arguments[1])
        try file.update { _ in
            say("holding")
            waitForever()
        }
    }

    /// STEP DIR NAME VALUE: is killed at that system call of a write. Prints "survived" if there are fewer.
    static func crash(_ arguments: [String]) throws {
        let file = try open(arguments[1], arguments[2])
        let step = number(arguments[0])
        let made = Guarded(0)
        say("began")
        try SystemCallTap.tapping({ _, _ in
            let count = made.withLock { made in
                made += 1
                return made
            }
            if count == step { raise(SIGKILL) }
            return .none
        }) { () throws(GroupFileError) in
            try file.write(number(arguments[3]))
        }
        say("survived")
    }

    /// DIR NAME VALUE [relaxed…]: prints the system calls of a write, one a line.
    static func steps(_ arguments: [String]) throws {
        let container = try GroupContainer(directory: arguments[0])
        let durability = arguments.count > 3 ? Durability(rawValue: arguments[3]) ?? .relaxed : .consistent
        let file = try GroupFile(arguments[1], in: container, initialValue: 0, durability: durability)
        try file.write(number(arguments[2]) - 1)
        try SystemCallTap.tapping({ call, detail in
            say("\(call.rawValue) \(detail)")
            return .none
        }) { () throws(GroupFileError) in
            try file.write(number(arguments[2]))
        }
        say("end")
    }

    /// How many descriptors this process has open.
    static var openDescriptors: Int {
        get throws { try SystemCalls.Directory(path: "/proc/self/fd").names().count }
    }

    /// DIR: opens, subscribes, writes, closes. Prints the number of descriptors before and after that.
    static func descriptors(_ arguments: [String]) throws {
        // The first use of Dispatch opens descriptors that stay.
        DispatchQueue.global().sync {}
        let before = try openDescriptors
        say("before \(before)")
        try use(arguments[0])
        // Idle threads end after a while, and close what they have open.
        let deadline = Moment.now + .seconds(60)
        while try openDescriptors > before, .now < deadline { Thread.sleep(for: .milliseconds(1)) }
        say("after \(try openDescriptors)")
    }

    private static func use(_ directory: String) throws {
        let told = DispatchSemaphore(value: 0)
        let file = try open(directory, "a")
        let other = try open(directory + "/sub", "b")
        let subscription = file.sink { _ in told.signal() }
        try file.write(1)
        try other.update { $0 += 1 }
        told.wait()
        subscription.cancel()
    }

    /// DIR COUNT: opens a value in each of so many containers, then writes each. Prints how many descriptors stay open
    /// there.
    static func containers(_ arguments: [String]) throws {
        let files = try (0..<number(arguments[1])).map { try open("\(arguments[0])/\($0)", "v") }
        for file in files { try file.write(1) }
        let descriptors = try SystemCalls.Directory(path: "/proc/self/fd").names().filter { descriptor in
            do throws(Errno) {
                return try Path.linkTarget(of: "/proc/self/fd/\(descriptor)").hasPrefix(arguments[0])
            } catch {
                return false  // It has been closed meanwhile.
            }
        }
        say("open \(descriptors.count)")
    }

    /// COUNT: COUNT calls fail for want of a descriptor. Prints by how many bytes the stack is deeper when the last
    /// call closes spare descriptors than when the first one does.
    static func refusals(_ arguments: [String]) {
        let places = Guarded<[Int]>([])
        SpareDescriptors.register {
            var local = 0
            let place = unsafe withUnsafePointer(to: &local) { Int(bitPattern: $0) }
            places.withLock { $0.append(place) }
        }
        SystemCallTap.tapping { call, _ in
            call == .open ? .fail(.tooManyOpenFiles) : .none
        } during: {
            for _ in 0..<number(arguments[0]) {
                do throws(Errno) { _ = try FileDescriptor.open("/", .readOnly) } catch {}
            }
        }
        let all = places.withLock { $0 }
        say("\(all.count) \((all.first ?? 0) - (all.last ?? 0))")
    }

    /// DIR START COUNT: adds one in each of COUNT containers that are shared with the group: in one every 5 ms, from
    /// the moment START on.
    static func join(_ arguments: [String]) throws {
        let start = Moment(nanoseconds: Int64(number(arguments[1])))
        for index in 0..<number(arguments[2]) {
            let moment = start + .milliseconds(5 * index)
            while .now < moment { sched_yield() }
            let container = try GroupContainer(directory: "\(arguments[0])/\(index)", sharing: .group)
            try GroupFile("v", in: container, initialValue: 0, durability: .relaxed).update { $0 += 1 }
        }
        say("done")
    }

    /// DIR NAME: as root, writes as another user, and then as itself. Prints who owns the value.
    static func users(_ arguments: [String]) throws {
        let container = try GroupContainer(directory: arguments[0])
        let other: uid_t = 65534
        if unsafe chown(arguments[0], other, other) != 0 || seteuid(other) != 0 { say("not root") }
        let file = try GroupFile(arguments[1], in: container, initialValue: 0, durability: .relaxed)
        try file.write(1)
        if seteuid(0) != 0 { say("not root") }
        try file.write(2)
        say("owner \(try Path.linkStatus(of: file.path).owner)")
    }

    /// PATH PATH: exchanges the two, as RENAME_EXCHANGE does.
    static func exchangePaths(_ arguments: [String]) throws {
        try SystemCalls.Directory(path: ".").rename(arguments[0], to: arguments[1], .exchange)
    }

    /// DIR NAME COUNT SIZE: writes COUNT strings of SIZE equal characters.
    static func blobs(_ arguments: [String]) throws {
        let container = try GroupContainer(directory: arguments[0])
        let file = try GroupFile(
            arguments[1], in: container, initialValue: "", codec: .text, durability: .relaxed)
        for index in 0..<number(arguments[2]) {
            let letter = Character(UnicodeScalar(UInt8(97 + index % 26)))
            try file.write(String(repeating: letter, count: number(arguments[3])))
        }
        say("done")
    }
}
