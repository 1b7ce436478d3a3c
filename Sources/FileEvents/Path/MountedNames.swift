import SystemCalls

/// Names in a directory at which single files are mounted, as container runtimes do: what happens to such a file is
/// reported in the directory that it came from.
struct MountedNames {
    static let blindness = "is a mount of its own, whose changes are not reported in the directory"

    private var names: Set<ExactName> = []

    /// True if it is a new one.
    mutating func insert(_ name: String) -> Bool { names.insert(ExactName(name)).inserted }

    /// Why not all changes are reported; nil if nothing is mounted there any more.
    mutating func blindness(in directory: String) -> String? {
        names = names.filter { Self.isMounted(directory + "/" + $0.text) }
        return names.map(\.text).min().map { "\($0) \(Self.blindness)" }
    }

    static func isMounted(_ path: String) -> Bool {
        do throws(Errno) {
            return try Path.isMountPoint(path)
        } catch {
            return false  // It is missing, or that cannot be determined.
        }
    }
}
