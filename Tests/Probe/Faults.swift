import Dispatch
import Glibc
import GroupFiles
import SystemCalls

/// Makes each system call of an operation fail, one at a time and in every way, and prints what is wrong afterwards.
extension Probe {
    private static let faults: [(name: String, fault: SystemCallFault, error: Errno?)] =
        [
            ("EINTR", Errno.interrupted), ("EIO", .inputOutput), ("ENOSPC", .noSpace), ("EDQUOT", .quotaExceeded),
            ("EROFS", .readOnlyFileSystem), ("EMFILE", .tooManyOpenFiles), ("EACCES", .accessDenied), ("EBUSY", .busy),
        ].map { ($0, .fail($1), $1) } + [("short", .short(1), nil)]

    /// DIR write|update|read|open|create: prints `bad …` for each thing that is wrong, and in the end how many calls
    /// failed, and how often that was an error for the caller.
    static func faults(_ arguments: [String]) throws {
        let (directory, what) = (arguments[0], arguments[1])
        var attempts = 0
        var failures = 0
        for (name, fault, error) in faults {
            for step in 1... {
                let bench = try FaultBench(directory, what, number: step)
                let made = Guarded(0)
                let hit = Guarded<String?>(nil)
                var thrown: (any Error)?
                do {
                    try SystemCallTap.tapping({ call, detail in
                        // Closing cannot fail in a way that matters.
                        if call == .close { return .none }
                        let isNow = made.withLock { made in
                            made += 1
                            return made == step
                        }
                        if isNow { hit.withLock { $0 = "\(call.rawValue) \(detail)" } }
                        // Reading is retried: there all calls fail from that one on.
                        let isSame = what == "read" && error != .interrupted && hit.withLock { $0 != nil }
                        return isNow || isSame ? fault : .none
                    }) { try bench.run() }
                } catch {
                    thrown = error
                }
                // Nil if there are fewer calls than that.
                let call = hit.withLock { $0 }
                let place = "\(what): \(name) at call \(step), \(call ?? "none")"
                for complaint in try bench.complaints(thrown, call, error: call == nil ? nil : error) {
                    say("bad \(place): \(complaint)")
                }
                if call == nil { break }
                attempts += 1
                if thrown != nil { failures += 1 }
            }
        }
        say("done \(attempts) \(failures)")
    }
}

/// One value, and an operation on it.
private final class FaultBench {
    private let root: String
    private let what: String
    private let old: Int
    private let new: Int
    private var descriptors = 0
    private var file: GroupFile<Int>?
    private var directory: String { root + "/c" }
    /// Whether it is opened before the calls that fail.
    private var isOpen: Bool { what != "open" && what != "create" }

    init(_ root: String, _ what: String, number: Int) throws {
        self.root = root
        self.what = what
        (old, new) = (number, -number)
        if what == "create" { try clear() } else { try put(old) }
        if isOpen {
            file = try GroupFile(
                "v", in: try GroupContainer(directory: directory), initialValue: 0, durability: .durable)
        }
        descriptors = try Probe.openDescriptors
        if what == "read" { try put(new) }
    }

    private func clear() throws {
        let parent = try SystemCalls.Directory(path: root)
        for name in ["c/.groupfile/v.lock", "c/.groupfile/v.turn", "c/v"] {
            try unless(.noEntry) { () throws(Errno) in try parent.unlink(name) }
        }
        for name in ["c/.groupfile", "c"] {
            try unless(.noEntry) { () throws(Errno) in try parent.removeDirectory(name) }
        }
    }

    /// Puts a value there as a foreign program does: by a new file that is renamed.
    private func put(_ value: Int) throws {
        let parent = try SystemCalls.Directory(path: root)
        try unless(.exists) { () throws(Errno) in try parent.makeDirectory("c", permissions: 0o700) }
        try Probe.replace(root, "c/v", value)
    }

    private func unless(_ expected: Errno, _ body: () throws(Errno) -> Void) throws(Errno) {
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

    /// What is wrong now. `error` is what the `call` failed with.
    func complaints(_ thrown: (any Error)?, _ call: String?, error: Errno?) throws -> [String] {
        var found: [String] = []
        let content = try text()
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
                // A short count after which nothing more can be written is reported as a lack of space.
                let expected = error ?? .noSpace
                if thrown.path == nil || thrown.errno != expected.rawValue { found.append("not said well: \(thrown)") }
            } else {
                found.append("not typed: \(thrown)")
            }
            if error == .interrupted { found.append("an interruption is no error: \(thrown)") }
        } else if !isInvalid, what != "open", !isUntold(content, call), content != "\(new)\n" {
            found.append("no error, but the file holds \(content ?? "nothing")")
        }
        found += complaintsAboutValue(thrown, content, call)
        try goOn(thrown, content, &found)
        return found
    }

    /// Whether the file reports that it cannot read what is there.
    private var isInvalid: Bool {
        if case .invalid = file?.status { true } else { false }
    }

    /// A file that cannot look does not learn whether there is a value, and makes none; by now it may know that there
    /// is none.
    private func isUntold(_ content: String?, _ call: String?) -> Bool {
        guard what == "create", content == nil, case .missing = file?.status, let call else { return false }
        return call.hasPrefix("fstatat ") && (call.hasSuffix(" v") || call.hasSuffix("/v"))
    }

    /// A file that was opened has the value on disk, or reports that it cannot read it.
    private func complaintsAboutValue(_ thrown: (any Error)?, _ content: String?, _ call: String?) -> [String] {
        guard let file, thrown == nil else { return [] }
        if isInvalid || isUntold(content, call) { return [] }
        return "\(file.value)\n" == content ? [] : ["its value is \(file.value), \(file.status)"]
    }

    /// Checks that everything works afterwards, and that nothing is left behind.
    private func goOn(_ thrown: (any Error)?, _ content: String?, _ found: inout [String]) throws {
        let file = try self.file ?? GroupFile("v", in: try GroupContainer(directory: directory), initialValue: new)
        self.file = nil
        let told = DispatchSemaphore(value: 0)
        let subscription = file.sink { if $0 == 1_000_000 { told.signal() } }
        if let content, try "\(file.read())\n" != content { found.append("then it reads \(file.value)") }
        try put(1_000_000)
        // Before the look of every 30 seconds, which would find it in any case.
        if told.wait(timeout: .now() + .seconds(25)) != .success {
            found.append("then nothing is told, \(file.health)")
        }
        subscription.cancel()
        try file.write(2_000_000)
        try lookForLeftovers(thrown, &found)
        // Threads of the library may still be reading.
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
        // If the displaced content could not be read, it has been kept.
        let kept = try control.names().filter { $0.hasPrefix("v.rejected") }
        for name in kept { try control.unlink(name) }
        if !kept.isEmpty, thrown != nil { found.append("an error, and kept: \(kept)") }
        let names = try control.names() + SystemCalls.Directory(path: directory).names()
        if !Set(names).isSubset(of: [".groupfile", "v", "v.lock", "v.turn"]) { found.append("left behind: \(names)") }
    }

    private func text() throws -> String? {
        do throws(Errno) {
            let file = try FileDescriptor.open(directory + "/v", .readOnly)
            return String(decoding: try file.readToEnd(expected: 64, limit: 1024), as: UTF8.self)
        } catch {
            if error == .noEntry { return nil }
            throw error
        }
    }
}
