import FoundationEssentials
import SystemCalls

/// Where values lie.
enum Place: CaseIterable {
    /// The temporary folder.
    case disk
    /// Shared memory.
    case memory

    var path: String {
        switch self {
        case .disk: FileManager.default.temporaryDirectory.path
        case .memory: "/dev/shm"
        }
    }

    /// The file system's type as mount(8) names it; nil if it cannot be found.
    var fileSystem: String? {
        do throws(Errno) {
            return try ProcessTable.fileSystem(of: path)
        } catch {
            return nil
        }
    }

    /// As rows name it.
    var name: String {
        switch self {
        case .disk: fileSystem.flatMap { $0 == "tmpfs" ? nil : $0 } ?? "disk"
        case .memory: "tmpfs"
        }
    }

    /// Why this place is not what it should be.
    var objection: String? {
        switch (self, fileSystem) {
        case (.disk, "tmpfs"): "\(path) is in memory; set TMPDIR to a folder on a disk"
        case (.memory, let type) where type != "tmpfs": "\(path) is no tmpfs"
        default: nil
        }
    }
}

/// A folder for one measurement.
struct Folder {
    let path: String

    init(_ place: Place) throws {
        path = "\(place.path)/group-files-benchmark-\(CurrentProcess.identifier)-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    /// Removes the folder with everything in it. Call this when no child is left that could make the folder anew.
    func remove() {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            Benchmarks.complain("cannot remove \(path): \(error)")
        }
    }

    /// The path of a file with a first value.
    func value(_ name: String) throws -> String {
        let path = path + "/" + name
        let file = try FileDescriptor.open(path, [.writeOnly, .create], permissions: 0o600)
        try file.writeAll(Array(Sample.initialText.utf8))
        return path
    }
}
