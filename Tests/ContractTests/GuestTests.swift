import Foundation
import SystemCalls
import TestSupport
import Testing

/// G8, G9, G10 and G15: what a process that embeds the library notices of it.
@Suite(.fewAtOnce, .serialized)
struct GuestTests {
    /// What the kernel reports about each thread of a process, except threads that are just ending.
    private func threads(of process: Int32, _ file: String) throws -> [String: String] {
        let tasks = "/proc/\(process)/task"
        var texts: [String: String] = [:]
        for task in try Directory(path: tasks).names() {
            do throws(Errno) {
                texts[task] = try ProcessTable.text("\(tasks)/\(task)/\(file)")
            } catch {
                if error != .noEntry, error != .noProcess { throw error }
            }
        }
        return texts
    }

    /// Whether no timer of the process rings for that many seconds: every thirty seconds, the library looks in any
    /// case.
    private func isQuiet(_ process: Int32, forSeconds seconds: Int) throws -> Bool {
        let folder = "/proc/\(process)/fdinfo"
        return try Directory(path: folder).names().allSatisfy { descriptor in
            do throws(Errno) {
                // it_value: (seconds, nanoseconds)
                let lines = try ProcessTable.text("\(folder)/\(descriptor)").split(separator: "\n")
                guard let line = lines.first(where: { $0.hasPrefix("it_value:") }) else { return true }
                let left = line.split { !$0.isNumber }.compactMap { Int($0) }
                return left == [0, 0] || left[0] >= seconds
            } catch {
                return false  // It is just being closed.
            }
        }
    }

    /// G8: tasks that wait for a value, or were cancelled while they did, take neither threads nor descriptors.
    @Test(arguments: [nil] + TemporaryDirectory.Place.allCases)
    func G8_tasksThatWaitTakeNoThreads(place: TemporaryDirectory.Place?) async throws {
        let folder = try place.map { try TemporaryDirectory(on: $0) }
        let probe = Program.path(ofProduct: "probe")
        let program = try Program(
            .command("sh"),
            ["-c", "ulimit -n 64; exec \"$0\" \"$@\"", probe, "tasks", folder.map { $0.path("c") } ?? "-", "500"])
        let most = try await program.line("most ")
        // One thread that works, one that waits for the lock, and some that are about to end.
        #expect(try #require(Int(most.dropFirst(5))) < 20)
        try await program.line("value 500")
        #expect(try await program.exit() == .code(0))
        #expect(program.output.elements.allSatisfy { !$0.hasPrefix("error") }, "\(program.output.elements)")
    }

    /// G8: idle means idle: no thread of an idle process wakes up.
    @Test(.disabled(if: CurrentProcess.hasThreadSanitizer, "the sanitizer's own thread wakes up"))
    func G8_anIdleProcessIsNotWokenUp() async throws {
        let folder = try TemporaryDirectory()
        let program = try Program(.product("probe"), ["idle", folder.path("c")])
        try await program.line("watching 60")
        let identifier = program.processIdentifier
        @Sendable func switches() throws -> [String] {
            try threads(of: identifier, "status").map { task, status in
                let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
                return "\(task) \(line ?? "")"
            }.sorted()
        }
        // The process has just begun, and closes what it kept open after its last write: wait until nothing has
        // happened for a second, then count for five seconds. All on this thread: a task may be held up for longer than
        // the process rests.
        let counted = try await blocking { () -> (before: [String], after: [String])? in
            func pause(_ time: Duration) throws {
                var none: [Poll.Entry] = []
                _ = try Poll.wait(&none, until: .now + time)
            }
            let end = Moment.now + .testDeadline
            var (before, lastSwitch) = ([String](), Moment.now)
            while try Moment.now - lastSwitch < .seconds(1) || !isQuiet(identifier, forSeconds: 15) {
                if Moment.now > end { return nil }
                try pause(.milliseconds(20))
                let now = try switches()
                if now != before { (before, lastSwitch) = (now, .now) }
            }
            // One thread reads events, the other one keeps the time.
            #expect(try threads(of: identifier, "comm").values.filter { $0.hasPrefix("group-files") }.count == 2)
            try pause(.seconds(5))
            return (before, try switches())
        }
        let (before, after) = try #require(counted, "it does not come to rest")
        #expect(after == before)
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/fd").map {
            do {
                return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(identifier)/fd/\($0)")
            } catch {
                return ""
            }
        }
        #expect(descriptors.filter { $0.contains("inotify") }.count == 1, "\(descriptors)")
    }

    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G9_closingEverythingBringsTheDescriptorsBack(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let outcome = try await Program.run(.product("probe"), ["descriptors", folder.path("c")])
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first?.split(separator: " ").last == lines.last?.split(separator: " ").last, "\(outcome)")
        #expect(lines.count == 2)
    }

    /// G4 and G15: a program may close all descriptors that it does not know, or put files of its own in their places,
    /// as when it becomes a daemon. It is still told of changes, the library still sleeps, and what the program has put
    /// there stays its own.
    @Test(
        arguments: ["inotify", "timerfd", "mountinfo", "inotify,timerfd,mountinfo"], ["closed", "null", "ended"])
    func G15_descriptorsThatTheProgramTakesAreReplaced(what: String, how: String) async throws {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.path("c"), withIntermediateDirectories: false)
        let outcome = try await Program.run(.product("probe"), ["taken-descriptors", folder.path("c"), what, how])
        let count = what.split(separator: ",").count
        var lines = ["before true", "taken \(count)", "rests true"]
        if how != "closed" { lines.append("kept \(count)") }
        #expect(outcome.output == lines.joined(separator: "\n"), "\(outcome)")
    }

    /// G15: a program that was started without standard streams may open others in their places at any time.
    @Test func G15_theStandardStreamsPlacesAreLeftFree() async throws {
        let folder = try TemporaryDirectory()
        try await folder.shell(
            "mkdir c; \"$PROBE\" without-streams \"$PWD/c\" <&- >&- 2>&-",
            environment: ["PROBE": Program.path(ofProduct: "probe")])
        #expect(try folder.read("streams") == "[] 2")
    }

    /// G11: the library's threads decode deeply nested content even where the program gives its own threads little
    /// stack.
    @Test func G11_aSmallStackOfTheProgramIsNoneOfOurs() async throws {
        let folder = try TemporaryDirectory()
        let output = try await folder.shell(
            "ulimit -s 256; \"$PROBE\" nested \"$PWD/c\" 250",
            environment: ["PROBE": Program.path(ofProduct: "probe")])
        #expect(output == "depth 250")
    }

    /// G9: this holds even while the task that looped goes on working.
    @Test func G9_aTaskThatHasLeftItsLoopHoldsNoDescriptor() async throws {
        let folder = try TemporaryDirectory()
        let outcome = try await Program.run(.product("probe"), ["leave-loop", folder.path("c")])
        #expect(outcome.output == "on a thread of the library true\ninotify 0\nended true", "\(outcome)")
    }

    /// G15: the library's threads block all signals that they do not cause themselves.
    @Test(.disabled(if: CurrentProcess.hasThreadSanitizer, "the sanitizer has signal handlers"))
    func G15_signalsAreLeftToTheProgram() async throws {
        let folder = try TemporaryDirectory()
        let program = try Program(.product("probe"), ["idle", folder.path("c")])
        try await program.line("watching 60")
        var own = 0
        for status in try threads(of: program.processIdentifier, "status").values {
            let lines = status.split(separator: "\n")
            guard lines.first?.hasSuffix("group-files") ?? false || lines.first?.contains("group-files") ?? false else {
                continue
            }
            own += 1
            let blocked = try #require(lines.first { $0.hasPrefix("SigBlk:") }?.split(separator: "\t").last)
            let mask = try #require(UInt64(blocked, radix: 16))
            for signal in [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGALRM, SIGCHLD] {
                #expect(mask & 1 << UInt64(signal - 1) != 0, "signal \(signal) in \(lines[0])")
            }
            for signal in [SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGPIPE] {
                #expect(mask & 1 << UInt64(signal - 1) == 0, "signal \(signal) in \(lines[0])")
            }
        }
        #expect(own >= 2)
        let status = try String(contentsOfFile: "/proc/\(program.processIdentifier)/status", encoding: .utf8)
        let caught = try #require(
            status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last)
        // Signals 32 and 33 are the C library's own.
        #expect(try #require(UInt64(caught, radix: 16)) & ~(0b11 << 31) == 0, "\(caught)")
    }

    /// G15: a crash in a handler leaves a backtrace, and a program whose output nobody reads ends.
    @Test(
        .disabled(if: CurrentProcess.hasThreadSanitizer, "the sanitizer has signal handlers"),
        arguments: ["crash", "pipe"])
    func G15_signalsThatAHandlerCausesReachTheProgram(cause: String) async throws {
        let folder = try TemporaryDirectory()
        let outcome = try await Program.run(.product("probe"), ["cause", folder.path("c"), cause])
        #expect(outcome.exit == .code(42), "\(outcome)")
    }

    /// G15: the library obeys a program that tells Swift's runtime where tasks go on.
    @Test func G15_aProgramsOwnExecutorIsKept() async throws {
        let folder = try TemporaryDirectory()
        let program = try Program(.product("probe"), ["hooked", folder.path("c")])
        for value in 0...3 {
            if value > 0 { try await folder.shell("echo \(value) > n; mv n c/v") }
            try await program.line("loop \(value)")
        }
        try await program.line("kept true, calls true")
    }

    /// G10: a value keeps its owner, even where the writer changes its user.
    @Test(.enabled(if: CurrentProcess.effectiveUser == 0, "only root can write in the name of others"))
    func G10_theOwnerStaysWhereTheWriterChangesHisUser() async throws {
        let folder = try TemporaryDirectory()
        let isOpen = unsafe chmod(folder.path, 0o755) == 0
        #expect(isOpen)
        let outcome = try await Program.run(.product("probe"), ["users", folder.path("c"), "v"])
        #expect(outcome.output == "owner 65534", "\(outcome)")
    }
}
