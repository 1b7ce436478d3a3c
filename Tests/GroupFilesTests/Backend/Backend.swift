import Foundation
import GroupFiles
import TestSupport

/// The stores that can lie under a container: the same tests run on each.
enum Backend: String, CaseIterable, Sendable {
    /// A directory on a disk, and one on tmpfs.
    case disk, tmpfs
    /// A directory on tmpfs, watched by polling, as where the kernel cannot notify.
    case polling
    case memory

    static let directories: [Backend] = [.disk, .tmpfs, .polling]

    func make() throws -> Bench {
        switch self {
        case .memory: return Bench(container: .inMemory(), folder: nil)
        case .disk, .tmpfs, .polling:
            let folder = try TemporaryDirectory(on: self == .disk ? .disk : .memory)
            let container = try GroupContainer(
                directory: folder.path("c"), access: .readWrite, sharing: .owner, usesNotifications: self != .polling)
            return Bench(container: container, folder: folder)
        }
    }
}

/// A container for one test.
struct Bench {
    let container: GroupContainer
    let folder: TemporaryDirectory?

    /// Puts bytes in a value's place that the value's own codec would not write: as a foreign program does, where there
    /// can be one. By rename: a writer in place may be held up for so long that the empty file counts as the value.
    func put(_ text: String, in name: String) throws {
        if let folder {
            try folder.replace("c/" + name, with: text)
        } else {
            let codec = GroupCodec<String>(encode: { Data($0.utf8) }, decode: { String(decoding: $0, as: UTF8.self) })
            try container.file(named: name, as: String.self, codec: codec).write(text)
        }
    }
}
