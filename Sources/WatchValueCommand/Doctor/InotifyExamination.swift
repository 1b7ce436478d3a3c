import JSONText
import SystemCalls

/// The kernel's limits for watching, and how much of them is used.
enum InotifyExamination {
    enum Limit: String {
        case instances, watches

        fileprivate var usual: Int {
            switch self {
            case .instances: 1024
            case .watches: 524_288
            }
        }
    }

    static func findings() -> [Finding] {
        do throws(Errno) {
            let use = try ProcessTable.inotifyUse(of: CurrentProcess.effectiveUser)
            return [
                try finding(.instances, used: use.instances, hidden: use.hidden),
                try finding(.watches, used: use.watches, hidden: use.hidden), try queue(),
            ]
        } catch {
            return [
                Finding(
                    level: .note, subject: "inotify", text: "the limits cannot be read: \(error)",
                    advice: Finding.advice(on: error, isInProc: true, else: nil))
            ]
        }
    }

    /// The command that raises a limit that is reached: to twice what it is, but at least to the usual one.
    static func remedy(_ limit: Limit) -> String {
        var present = (most: 0, setting: "fs.inotify.\(setting(limit))")
        do throws(Errno) { present = try bound(limit) } catch {}  // There is no /proc.
        return "sudo sysctl \(present.setting)=\(max(limit.usual, present.most * 2))"
    }

    private static func setting(_ limit: Limit) -> String { "max_user_\(limit.rawValue)" }

    /// What applies, and the setting's name for sysctl: a user namespace may have a lower limit of its own.
    private static func bound(_ limit: Limit) throws(Errno) -> (most: Int, setting: String) {
        let most = try number("fs/inotify/\(setting(limit))")
        do throws(Errno) {
            let own = try number("user/max_inotify_\(limit.rawValue)")
            if own < most { return (own, "user.max_inotify_\(limit.rawValue)") }
        } catch {}  // There are no user namespaces.
        return (most, "fs.inotify.\(setting(limit))")
    }

    private static func finding(_ limit: Limit, used: Int, hidden: Int) throws(Errno) -> Finding {
        let (most, setting) = try bound(limit)
        let isShort = used * 10 >= most * 9
        let processes = hidden == 1 ? "1 process" : "\(hidden) processes"
        let rest = hidden == 0 ? "" : ", not counting those of \(processes) that you may not inspect"
        return Finding(
            level: isShort ? .problem : .good, subject: "inotify",
            text: "\(used) of \(most) \(limit) used (\(setting))\(rest)",
            advice: isShort ? remedy(limit) : nil,
            facts: [JSONObject.Member("limit", number: most), JSONObject.Member("used", number: used)])
    }

    /// If the queue overflows, everything is read again, so its size is never a problem.
    private static func queue() throws(Errno) -> Finding {
        let most = try number("fs/inotify/max_queued_events")
        return Finding(
            level: .good, subject: "inotify", text: "\(most) events fit in a queue (fs.inotify.max_queued_events)",
            facts: [JSONObject.Member("limit", number: most)])
    }

    private static func number(_ name: String) throws(Errno) -> Int {
        let text = try ProcessTable.text("/proc/sys/\(name)")
        guard let number = text.split(separator: "\n").first.flatMap({ Int($0) }) else { throw .invalid }
        return number
    }
}
