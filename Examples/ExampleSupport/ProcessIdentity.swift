import Foundation

/// Identifies a process, even after it has ended: the kernel reuses numbers, but not with the same start since the same
/// boot.
public struct ProcessIdentity: Codable, Hashable, Sendable {
    public let pid: Int32
    /// When it started, in ticks since the machine was booted, as in proc(5).
    public let start: UInt64
    /// Which boot of the machine that was, as in random(4).
    public let boot: String

    /// This process.
    public static let current = ProcessIdentity(
        pid: getpid(), start: startTime(of: getpid()) ?? 0, boot: text("sys/kernel/random/boot_id") ?? "")

    /// Whether it is still running.
    public var isAlive: Bool { boot == Self.current.boot && Self.startTime(of: pid) == start }

    private static func startTime(of pid: Int32) -> UInt64? {
        // The program's name, in parentheses, may itself contain spaces and parentheses, so fields are counted after
        // the name.
        guard let stat = text("\(pid)/stat"), let nameEnd = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[stat.index(after: nameEnd)...].split(separator: " ")
        guard fields.count > 19, fields[0] != "Z" else { return nil }  // A zombie: it has ended already.
        return UInt64(fields[19])
    }

    private static func text(_ name: String) -> String? {
        do {
            return try String(contentsOfFile: "/proc/\(name)", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        } catch {
            return nil  // There is no such file.
        }
    }
}
