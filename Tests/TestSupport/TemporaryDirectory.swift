package import Foundation
import SystemCalls

/// A directory for one test, removed with everything in it once nothing holds it any more.
///
/// ```swift
/// @Test(arguments: TemporaryDirectory.Place.allCases)
/// func something(place: TemporaryDirectory.Place) throws {
///     let directory = try TemporaryDirectory(on: place)
/// ```
package final class TemporaryDirectory: Sendable {
    package enum Place: String, CaseIterable, Sendable {
        /// The temporary folder: a file system on a disk, where fsync, rename and inotify have their full cost.
        case disk
        /// `/dev/shm`: tmpfs.
        case memory
    }

    package let path: String
    package var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

    package init(on place: Place = .disk) throws {
        let parent =
            switch place {
            case .disk: FileManager.default.temporaryDirectory.path
            case .memory: "/dev/shm"
            }
        path = parent + "/group-files-test-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        // A test may have removed or moved it.
        guard FileManager.default.fileExists(atPath: path) else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            print("TemporaryDirectory: cannot remove \(path): \(error)")
        }
    }

    /// The path of `name` in it.
    package func path(_ name: String) -> String { path + "/" + name }

    /// Writes the file in place, as a foreign program does with `>`.
    ///
    /// Not with Foundation, whose descriptors are not closed on exec: a child that another test starts meanwhile would
    /// keep the file open until it ends, perhaps in the middle of the next write, which a viewer would then take to be
    /// done.
    /// Nor with our own calls, which a test may make fail.
    package func write(_ text: String, to name: String) throws {
        guard let file = unsafe fopen(path(name), "we") else { throw Errno(rawValue: errno) }
        let bytes = Array(text.utf8)
        let isWritten = unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count
        guard unsafe fclose(file) == 0, isWritten else { throw Errno(rawValue: errno) }
    }

    /// Replaces the file as a whole, like a program that saves elsewhere and renames. Not for two threads at a time.
    package func replace(_ name: String, with text: String) throws {
        try write(text, to: ".new")
        guard unsafe rename(path(".new"), path(name)) == 0 else { throw Errno(rawValue: errno) }
    }

    package func read(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    /// The names in it, or in a directory below it, sorted.
    package func names(in directory: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(directory)).sorted()
    }

    /// How many descriptors of this process lead to the directory, or to what is in it.
    package var openDescriptors: Int {
        get throws {
            try Directory(path: "/proc/self/fd").names().filter { descriptor in
                do throws(Errno) {
                    return try Path.linkTarget(of: "/proc/self/fd/\(descriptor)").hasPrefix(path)
                } catch {
                    return false  // It has been closed meanwhile.
                }
            }.count
        }
    }
}
