import SystemCalls

/// What the kernel reports about a process: proc(5).
struct ProcessStatus {
    static let own = ProcessStatus(process: "self")

    /// Its number, or `self`.
    let process: String

    /// Memory that only this process has, and that it has changed: bytes.
    func privateDirty() throws -> Int {
        try 1024 * Self.field("Private_Dirty:", in: "/proc/\(process)/smaps_rollup")
    }

    func threads() throws -> [String] {
        try Directory(path: "/proc/\(process)/task").names()
    }

    /// How often its threads went to sleep and were woken, so far.
    func voluntarySwitches() throws -> Int {
        try threads().reduce(0) {
            try $0 + Self.field("voluntary_ctxt_switches:", in: "/proc/\(process)/task/\($1)/status")
        }
    }

    /// How long its threads ran, so far: nanoseconds.
    func processorTime() throws -> Int {
        try threads().reduce(0) { sum, thread in
            let text = try ProcessTable.text("/proc/\(process)/task/\(thread)/schedstat")
            return sum + (text.split(separator: " ").first.flatMap { Int($0) } ?? 0)
        }
    }

    private static func field(_ name: String, in path: String) throws -> Int {
        for line in try ProcessTable.text(path).split(separator: "\n") where line.hasPrefix(name) {
            let words = line.split { $0 == " " || $0 == "\t" }
            if words.count > 1, let number = Int(words[1]) { return number }
        }
        throw Failure(description: "\(path) has no \(name)")
    }
}
