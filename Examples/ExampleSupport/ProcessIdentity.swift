import Foundation

/// Which process it is, or was: the kernel gives numbers again, but not with the same start.
public struct ProcessIdentity: Codable, Hashable, Sendable {
    public let pid: Int32
    /// In ticks since the machine was started, as in proc(5).
    public let start: UInt64

    /// This process.
    public static let current = ProcessIdentity(pid: getpid(), start: startTime(of: getpid()) ?? 0)

    public init(pid: Int32, start: UInt64) {
        self.pid = pid
        self.start = start
    }

    /// Whether it runs still.
    public var isAlive: Bool { Self.startTime(of: pid) == start }

    private static func startTime(of pid: Int32) -> UInt64? {
        let stat: String
        do {
            stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        } catch {
            return nil  // There is none of that number.
        }
        // The program's name, in parentheses, may have spaces and parentheses in it: the fields behind it count.
        guard let nameEnd = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[stat.index(after: nameEnd)...].split(separator: " ")
        guard fields.count > 19, fields[0] != "Z" else { return nil }  // Nobody has asked yet how it ended.
        return UInt64(fields[19])
    }
}
