import Glibc

/// What inotify is asked for, and what it reports: the IN_ flags of inotify(7).
package struct InotifyMask: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    private init(_ flag: Int) { rawValue = UInt32(flag) }

    // Written out, instead of OptionSet's generic versions: other modules cannot specialize those, and these run
    // several times for each event.
    package init(arrayLiteral masks: InotifyMask...) {
        var rawValue: UInt32 = 0
        for mask in masks { rawValue |= mask.rawValue }
        self.rawValue = rawValue
    }

    package func contains(_ other: InotifyMask) -> Bool { rawValue & other.rawValue == other.rawValue }
    package func isDisjoint(with other: InotifyMask) -> Bool { rawValue & other.rawValue == 0 }
    package func union(_ other: InotifyMask) -> InotifyMask { InotifyMask(rawValue: rawValue | other.rawValue) }
    package mutating func formUnion(_ other: InotifyMask) { self = union(other) }

    package static let modify = InotifyMask(Int(IN_MODIFY))
    package static let attributes = InotifyMask(Int(IN_ATTRIB))
    package static let closeWrite = InotifyMask(Int(IN_CLOSE_WRITE))
    package static let movedFrom = InotifyMask(Int(IN_MOVED_FROM))
    package static let movedTo = InotifyMask(Int(IN_MOVED_TO))
    package static let create = InotifyMask(Int(IN_CREATE))
    package static let delete = InotifyMask(Int(IN_DELETE))
    package static let deleteSelf = InotifyMask(Int(IN_DELETE_SELF))
    package static let moveSelf = InotifyMask(Int(IN_MOVE_SELF))

    // Only reported.
    package static let unmount = InotifyMask(Int(IN_UNMOUNT))
    package static let overflow = InotifyMask(Int(IN_Q_OVERFLOW))
    package static let ignored = InotifyMask(Int(IN_IGNORED))
    package static let isDirectory = InotifyMask(Int(IN_ISDIR))

    // Only asked for.
    package static let onlyDirectory = InotifyMask(Int(IN_ONLYDIR))
    package static let dontFollow = InotifyMask(Int(IN_DONT_FOLLOW))
    package static let excludeUnlinked = InotifyMask(Int(IN_EXCL_UNLINK))
    /// Adds to what is already asked for in this directory, instead of replacing it.
    package static let add = InotifyMask(Int(IN_MASK_ADD))

    /// What concerns the owner of the watches itself, and not only its clients.
    package static let hubChanged: InotifyMask = [.overflow, .ignored]
    /// The watched directory itself is no longer what, or where, it was.
    package static let selfChanged: InotifyMask = [.deleteSelf, .moveSelf, .unmount, .ignored]
    /// Something happened to a file's content, or to its name.
    package static let contentChanged: InotifyMask = [
        .modify, .closeWrite, .create, .movedTo, .movedFrom, .delete,
    ]
    /// A file is there whose writer is done with it.
    package static let finished: InotifyMask = [.closeWrite, .movedTo]
    /// Somebody has written into the file itself.
    package static let written: InotifyMask = [.modify, .closeWrite]
    /// A name is gone.
    package static let gone: InotifyMask = [.delete, .movedFrom]
    /// A name in the watched directory is new, or gone.
    package static let namesChanged: InotifyMask = [.create, .delete, .movedFrom, .movedTo]
}
