import JSONText
import SystemCalls

/// The kernel's limits for watching, and how much of them is used.
enum InotifyExamination {
    static func findings() -> [Finding] {
        do throws(Errno) {
            let use = try ProcessTable.inotifyUse(of: CurrentProcess.effectiveUser)
            return [
                try limit("instances", "max_user_instances", used: use.instances, suggested: 1024),
                try limit("watches", "max_user_watches", used: use.watches, suggested: 524_288),
                try queue(),
            ]
        } catch {
            return [
                Finding(
                    level: .note, subject: "inotify", text: "the limits cannot be read: \(error)", advice: "mount /proc"
                )
            ]
        }
    }

    private static func limit(
        _ what: String, _ name: String, used: Int, suggested: Int
    ) throws(Errno) -> Finding {
        let most = try number(name)
        let isShort = used * 10 >= most * 9
        return Finding(
            level: isShort ? .problem : .good, subject: "inotify",
            text: "\(used) of \(most) \(what) used (\(name))",
            advice: isShort ? "sudo sysctl fs.inotify.\(name)=\(max(suggested, most * 2))" : nil,
            facts: [JSONObject.Member("limit", number: most), JSONObject.Member("used", number: used)])
    }

    /// Where it overflows everything is read again, so it is only worth knowing.
    private static func queue() throws(Errno) -> Finding {
        let most = try number("max_queued_events")
        return Finding(
            level: .good, subject: "inotify", text: "\(most) events fit in a queue (max_queued_events)",
            facts: [JSONObject.Member("limit", number: most)])
    }

    private static func number(_ name: String) throws(Errno) -> Int {
        let text = try ProcessTable.text("/proc/sys/fs/inotify/\(name)")
        guard let number = text.split(separator: "\n").first.flatMap({ Int($0) }) else { throw .invalid }
        return number
    }
}
