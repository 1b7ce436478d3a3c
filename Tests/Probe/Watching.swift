import Dispatch
import FileEvents
import Glibc
import GroupFiles
import Observation
import SystemCalls

/// Observers, which print what they see.
extension Probe {
    /// DIR NAME: each value.
    static func watch(_ arguments: [String]) throws {
        let file = try open(arguments[0], arguments[1], .readOnly)
        let subscription = file.sink { say("value \($0)") }
        withExtendedLifetime(subscription) { waitForever() }
    }

    /// DIR NAME, or PATH: each value, as text.
    static func text(_ arguments: [String]) throws {
        let file: GroupFile<String>
        if arguments.count > 1 {
            let container = try GroupContainer(directory: arguments[0], access: .readOnly)
            file = try GroupFile(arguments[1], in: container, initialValue: "", access: .readOnly, codec: .text)
        } else {
            file = try GroupFile(
                path: arguments[0], initialValue: "none", codec: .text, options: GroupFileOptions(access: .readOnly))
        }
        let subscription = file.sink { say("text \($0)") }
        withExtendedLifetime(subscription) { waitForever() }
    }

    /// DIR NAME: each event of the file, which is observed by a relative path while the current directory is another
    /// one.
    static func relative(_ arguments: [String]) {
        guard unsafe chdir(arguments[0]) == 0 else { return say("no directory: \(arguments[0])") }
        let observer = FileObserver(path: arguments[1], eventMask: .write)
        guard unsafe chdir("/") == 0 else { return say("no root") }
        observer.setEventHandler { say("written") }
        observer.activate()
        say("active")
        withExtendedLifetime(observer) { waitForever() }
    }

    /// PATH [EVENT]: each event of the file there, or only this one.
    static func events(_ arguments: [String]) {
        let names: [(FileObserver.FileSystemEvent, String)] = [
            (.delete, "delete"), (.write, "write"), (.extend, "extend"), (.attrib, "attrib"), (.link, "link"),
            (.rename, "rename"), (.revoke, "revoke"),
        ]
        let mask = names.first { $0.1 == arguments.dropFirst().first }?.0 ?? .all
        let observer = FileObserver(path: arguments[0], eventMask: mask)
        observer.setEventHandler { [weak observer] in
            let data = observer?.data ?? []
            say("events \(names.filter { data.contains($0.0) }.map(\.1).joined(separator: " "))")
        }
        observer.activate()
        say("active")
        withExtendedLifetime(observer) { waitForever() }
    }

    /// DIR NAME: each value, and the system calls of this process since the previous one.
    static func observed(_ arguments: [String]) throws {
        let file = try open(arguments[0], arguments[1], .readOnly)
        let calls = Guarded<[String]>([])
        SystemCallTap.tapping(
            everyThread: true,
            { call, _ in
                calls.withLock { $0.append(call.rawValue) }
                return .none
            }
        ) {
            let subscription = file.sink { value in
                let made = calls.withLock { exchange(&$0, with: []) }
                say("value \(value)")
                say("calls \(value) \(made.joined(separator: " "))")
            }
            withExtendedLifetime(subscription) { waitForever() }
        }
    }

    /// DIR: watches 60 values in 6 directories, and prints when all are watched.
    static func idle(_ arguments: [String]) throws {
        var files: [GroupFile<Int>] = []
        var subscriptions: [Subscription] = []
        let told = DispatchSemaphore(value: 0)
        for directory in 0..<6 {
            for name in 0..<10 {
                let file = try open("\(arguments[0])/d\(directory)", "v\(name)")
                subscriptions.append(file.sink { _ in told.signal() })
                files.append(file)
            }
        }
        for _ in files { told.wait() }
        say("watching \(files.count)")
        withExtendedLifetime((files, subscriptions)) { waitForever() }
    }

    /// DIR COUNT: COUNT subscribers of `v` block for ever. Prints what a subscriber of `w` sees, then writes to `x`.
    static func blocked(_ arguments: [String]) throws {
        let count = number(arguments[1])
        let file = try open(arguments[0], "v")
        let other = try open(arguments[0], "w")
        let own = try open(arguments[0], "x")
        let entered = DispatchSemaphore(value: 0)
        let never = DispatchSemaphore(value: 0)
        var subscriptions: Set<Subscription> = []
        let start = Moment.now
        for _ in 0..<count {
            file.sink { _ in
                entered.signal()
                never.wait()
            }.store(in: &subscriptions)
        }
        for _ in 0..<count { entered.wait() }
        let duration = Moment.now - start
        let told = DispatchSemaphore(value: 0)
        own.sink { value in if value > 0 { say("own \(value)") } }.store(in: &subscriptions)
        other.sink { value in
            say("value \(value)")
            if value == 10 { told.signal() }
        }.store(in: &subscriptions)
        say("blocked \(count) \(Int(duration / .milliseconds(1)))")
        told.wait()
        try own.write(1000)
        withExtendedLifetime((file, other, own, subscriptions)) { waitForever() }
    }

    /// DIR COUNT: COUNT handlers begin to block for ever, one after the other, and `w` is replaced before each of them
    /// does. Prints how many milliseconds after that a subscriber of `w` was told: the median of the COUNT changes.
    static func blockedInTurn(_ arguments: [String]) throws {
        let directory = arguments[0]
        let files = try (0..<number(arguments[1])).map { try open(directory, "v\($0)") }
        let other = try open(directory, "w")
        let called = DispatchSemaphore(value: 0)
        let never = DispatchSemaphore(value: 0)
        var subscriptions: Set<Subscription> = []
        for file in files {
            file.sink { value in
                called.signal()
                if value > 0 { never.wait() }
            }.store(in: &subscriptions)
        }
        // What the subscriber was told, and when.
        let told = Guarded<[(value: Int, at: Moment)]>([])
        other.sink { value in
            told.withLock { $0.append((value, .now)) }
            called.signal()
        }.store(in: &subscriptions)
        for _ in 0...files.count { called.wait() }
        var written: [Moment] = []
        for (index, file) in files.enumerated() {
            try replace(directory, "w", index + 1)
            written.append(.now)
            try file.write(1)
            Thread.sleep(for: .milliseconds(1))
        }
        while told.withLock({ $0.last?.value ?? 0 }) < files.count { called.wait() }
        let delays = told.withLock { told in
            written.enumerated().compactMap { index, moment in
                told.first { $0.value > index }.map { Int(($0.at - moment) / .milliseconds(1)) }
            }
        }
        say("told \(delays.sorted()[delays.count / 2])")
        withExtendedLifetime((files, other, subscriptions)) { waitForever() }
    }

    /// DIR COUNT: the same with loops, each over a value of its own. Each loop waits for the next value, gets it, and
    /// its body does not return.
    static func blockedLoops(_ arguments: [String]) throws {
        let count = number(arguments[1])
        let other = try open(arguments[0], "w")
        let entered = DispatchSemaphore(value: 0)
        let never = DispatchSemaphore(value: 0)
        for index in 0..<count {
            let file = try open(arguments[0], "v\(index)")
            Task.detached {
                for await value in file.values where value > 0 {
                    if Thread.isMarked { kept.withLock { $0 += 1 } }
                    block(entered, never)
                }
            }
            while file.waiterCount == 0 { Thread.sleep(for: .milliseconds(1)) }
            try replace(arguments[0], "v\(index)", 1)
            entered.wait()
        }
        let subscription = other.sink { say("value \($0)") }
        say("blocked \(count) kept \(kept.withLock { $0 })")
        withExtendedLifetime((other, subscription)) { waitForever() }
    }

    /// How many bodies of loops have run on a thread of the library.
    private static let kept = Guarded(0)

    private static func block(_ entered: DispatchSemaphore, _ never: DispatchSemaphore) {
        entered.signal()
        never.wait()
    }

    /// DIR: subscribers of `v` block every thread of the library. Reads what does not decode, then writes a thousand
    /// times, and prints how many jobs wait that hold one of the objects concerned.
    static func stalled(_ arguments: [String]) throws {
        let file = try open(arguments[0], "v")
        let other = try open(arguments[0], "w")
        let (written, reader) = (try open(arguments[0], "x"), try open(arguments[0], "x"))
        let entered = DispatchSemaphore(value: 0)
        let never = DispatchSemaphore(value: 0)
        var subscriptions: Set<Subscription> = []
        let threads = 66
        for _ in 0..<threads {
            file.sink { _ in
                entered.signal()
                never.wait()
            }.store(in: &subscriptions)
        }
        // One thread is reading events, and takes the last job when it has read some.
        for _ in 1..<threads { entered.wait() }
        try FileDescriptor.open(arguments[0] + "/w", [.writeOnly, .truncate]).writeAll(Array("1".utf8))
        entered.wait()
        say("stalled")
        try FileDescriptor.open(arguments[0] + "/w", [.writeOnly, .truncate]).writeAll(Array("no number".utf8))
        do throws(GroupFileError) { say("read \(try other.read())") } catch { say("read \(error.code)") }
        withObservationTracking({ _ = (written.value, reader.value) }, onChange: {})
        let before = _getRetainCount(written) + _getRetainCount(reader)
        for value in 1...1000 { try written.write(value) }
        say("waiting \(_getRetainCount(written) + _getRetainCount(reader) - before)")
        withExtendedLifetime((file, other, written, reader, subscriptions)) { waitForever() }
    }
}
