import SystemCalls

/// A directory that is to be watched, found before: watching it then follows no path, which may take any time.
struct DirectoryOnWay: ~Copyable {
    private let path: String
    /// Nil if it could not be opened.
    private var descriptor: FileDescriptor?

    /// Follows the path, but no link in its last place.
    init(_ path: String) {
        self.path = path
        do throws(Errno) {
            descriptor = try FileDescriptor.open(path, [.pathOnly, .directory, .noFollow])
        } catch {
            descriptor = nil  // Watching fails as well, and says why; or no descriptor is left, and it succeeds.
        }
    }

    borrowing func watch(_ mask: InotifyMask, by inotify: borrowing Inotify) throws(Errno) -> Int32 {
        if let answer = try watchWhatIsOpen(mask, inotify) { return answer }
        return try inotify.add(path, mask: [mask, .dontFollow])
    }

    /// Nil if nothing is open, or without /proc.
    private borrowing func watchWhatIsOpen(_ mask: InotifyMask, _ inotify: borrowing Inotify) throws(Errno) -> Int32? {
        switch descriptor {
        case .some(let directory):
            do throws(Errno) {
                return try inotify.add(directory, at: path, mask: mask)
            } catch {
                if error.isNotFound { return nil }
                throw error
            }
        case nil: return nil
        }
    }
}
