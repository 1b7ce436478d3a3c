import Dispatch
import Glibc
import GroupFiles
import SystemCalls

/// Makes every system call of something fail, one at a time and in every way, and prints what is wrong with what is left.
extension Probe {
    private static let faults: [(name: String, fault: SystemCallFault, error: Errno?)] =
        [
            ("EINTR", Errno.interrupted), ("EIO", .inputOutput), ("ENOSPC", .noSpace), ("EDQUOT", .quotaExceeded),
            ("EROFS", .readOnlyFileSystem), ("EMFILE", .tooManyOpenFiles), ("EACCES", .accessDenied), ("EBUSY", .busy),
        ].map { ($0, .fail($1), $1) } + [("short", .short(1), nil)]

    /// What came of it.
    private struct Attempt {
        var failed = false
        /// The call that did not go well; nil where there were fewer.
        var call: String?
        var isByteMover = false
    }

    /// DIR write|update|read|open|create: `bad …` for each thing that is wrong; in the end how many calls were looked at
    /// and how often there was an error.
    static func faults(_ arguments: [String]) throws {
        let (directory, what) = (arguments[0], arguments[1])
        var attempts = 0
        var failures = 0
        for (name, fault, error) in faults {
            var step = 0
            while true {
                step += 1
                let bench = try FaultBench(directory, what, number: step)
                var attempt = Attempt()
                let target = step
                let made = Guarded(0)
                let hit = Guarded<String?>(nil)
                var thrown: (any Error)?
                do {
                    try SystemCallTap.tapping({ call, detail in
                        // Closing cannot fail in a way that matters.
                        if call == .close { return .none }
                        let isNow = made.withLock { made in
                            made += 1
                            return made == target
                        }
                        if isNow { hit.withLock { $0 = "\(call.rawValue) \(detail)" } }
                        // Reading tries again: there what fails goes on failing.
                        let isSame = what == "read" && error != .interrupted && hit.withLock { $0 != nil }
                        return isNow || isSame ? fault : .none
                    }) { try bench.run() }
                } catch {
                    thrown = error
                }
                attempt.call = hit.withLock { $0 }
                let place = "\(what): \(name) at call \(step), \(attempt.call ?? "none")"
                for complaint in try bench.complaints(thrown, error: attempt.call == nil ? nil : error) {
                    say("bad \(place): \(complaint)")
                }
                guard attempt.call != nil else { break }
                attempts += 1
                if thrown != nil { failures += 1 }
            }
        }
        say("done \(attempts) \(failures)")
    }
}

/// One value, and what is done to it.
private final class FaultBench {
    private let directory: String
    private let what: String
    private let old: Int
    private let new: Int
    private let descriptors: Int
    private var file: GroupFile<Int>?
    private var isOpen: Bool { what != "open" && what != "create" }

    init(_ directory: String, _ what: String, number: Int) throws {
        self.directory = directory + "/c"
        self.what = what
        (old, new) = (number, -number)
        try Self.put(old, directory, makes: what != "create")
        if what != "create" && what != "open" {
            file = try GroupFile(
                "v", in: try GroupContainer(directory: self.directory), initialValue: 0, durability: .durable)
        }
        descriptors = try Probe.openDescriptors
        if what == "read" { try Self.put(new, directory, makes: true) }
    }

    /// As a foreign program does: a new file, renamed into place. Where it is to be made, nothing is there.
    private static func put(_ value: Int, _ directory: String, makes: Bool) throws {
        let parent = try SystemCalls.Directory(path: directory)
        if !makes {
            for name in ["c/.groupfile/v.lock", "c/.groupfile/v.turn", "c/v"] {
                try unless(.noEntry) { () throws(Errno) in try parent.unlink(name) }
            }
            for name in ["c/.groupfile", "c"] {
                try unless(.noEntry) { () throws(Errno) in try parent.removeDirectory(name) }
            }
            return
        }
        try unless(.exists) { () throws(Errno) in try parent.makeDirectory("c", permissions: 0o700) }
        let file = try parent.open("n", [.writeOnly, .create, .truncate], permissions: 0o600)
        try file.writeAll(Array("\(value)\n".utf8))
        try parent.rename("n", to: "c/v", .replace)
    }

    private static func unless(_ expected: Errno, _ body: () throws(Errno) -> Void) throws(Errno) {
        do throws(Errno) {
            try body()
        } catch {
            if error != expected { throw error }
        }
    }

    func run() throws {
        switch what {
        case "write": try file?.write(new)
        case "update": try file?.update { $0 = new }
        case "read": _ = try file?.read()
        default:
            file = try GroupFile(
                "v", in: try GroupContainer(directory: directory), initialValue: new, durability: .durable)
        }
    }

    /// What is wrong now. `error` is what the call answered.
    func complaints(_ thrown: (any Error)?, error: Errno?) throws -> [String] {
        var found: [String] = []
        let content = try text("v")
        let allowed: Set<String?> =
            switch what {
            case "read": ["\(new)\n"]
            case "open": ["\(old)\n"]
            case "create": [nil, "\(new)\n"]
            default: ["\(old)\n", "\(new)\n"]
            }
        if !allowed.contains(content) { found.append("the file holds \(content ?? "nothing")") }
        if let thrown {
            if let thrown = thrown as? GroupFileError {
                // A short count that cannot be gone on from is said to be want of space.
                let expected = error ?? .noSpace
                if thrown.path == nil || thrown.errno != expected.rawValue { found.append("not said well: \(thrown)") }
            } else {
                found.append("not typed: \(thrown)")
            }
            if error == .interrupted { found.append("an interruption is no error: \(thrown)") }
        } else if !isInvalid, what != "open", content != "\(new)\n" {
            found.append("no error, but the file holds \(content ?? "nothing")")
        }
        found += complaintsAboutValue(thrown, content)
        try goOn(thrown, content, &found)
        return found
    }

    /// It says that it cannot read what is there.
    private var isInvalid: Bool {
        if case .invalid = file?.status { true } else { false }
    }

    /// What was opened shows the file's value, or says that it cannot.
    private func complaintsAboutValue(_ thrown: (any Error)?, _ content: String?) -> [String] {
        guard let file, thrown == nil else { return [] }
        if isInvalid { return [] }
        return "\(file.value)\n" == content ? [] : ["its value is \(file.value), \(file.status)"]
    }

    /// Everything works afterwards, and nothing is left behind.
    private func goOn(_ thrown: (any Error)?, _ content: String?, _ found: inout [String]) throws {
        let file = try self.file ?? GroupFile("v", in: try GroupContainer(directory: directory), initialValue: new)
        self.file = nil
        let told = DispatchSemaphore(value: 0)
        let subscription = file.sink { if $0 == 1_000_000 { told.signal() } }
        if let content, try "\(file.read())\n" != content { found.append("then it reads \(file.value)") }
        try Self.put(1_000_000, String(directory.dropLast(2)), makes: true)
        // Before the heartbeat, which would find it in any case.
        if told.wait(timeout: .now() + .seconds(25)) != .success {
            found.append("then nothing is told, \(file.health)")
        }
        subscription.cancel()
        try file.write(2_000_000)
        try lookForLeftovers(thrown, &found)
        // Threads of the library open and close what they read.
        if isOpen {
            let deadline = DispatchTime.now() + .seconds(60)
            var open = try Probe.openDescriptors
            while open > descriptors, DispatchTime.now() < deadline {
                usleep(1000)
                open = try Probe.openDescriptors
            }
            if open > descriptors { found.append("descriptors: \(open), before \(descriptors)") }
        }
    }

    private func lookForLeftovers(_ thrown: (any Error)?, _ found: inout [String]) throws {
        let control = try SystemCalls.Directory(path: directory + "/.groupfile")
        // Where what was displaced could not be read it was kept.
        let kept = try control.names().filter { $0.hasPrefix("v.rejected") }
        for name in kept { try control.unlink(name) }
        if !kept.isEmpty, thrown != nil { found.append("an error, and kept: \(kept)") }
        let names = try control.names() + SystemCalls.Directory(path: directory).names()
        if !Set(names).isSubset(of: [".groupfile", "v", "v.lock", "v.turn"]) { found.append("left behind: \(names)") }
    }

    private func text(_ name: String) throws -> String? {
        do throws(Errno) {
            let file = try FileDescriptor.open("\(directory)/\(name)", .readOnly)
            return String(decoding: try file.readToEnd(expected: 64, limit: 1024), as: UTF8.self)
        } catch {
            if error == .noEntry { return nil }
            throw error
        }
    }
}
