import Glibc

/// The names in a directory.
extension Directory {
    /// readdir(3): the names, without `.` and `..`, in no order. Names that are not UTF-8 are of no use here, and left
    /// out.
    package func names() throws(Errno) -> [String] {
        try unsafe Self.names(
            in: performOpening(.openat, ".") { [raw = descriptor.rawValue] in
                unsafe openat(raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            })
    }

    /// open(2), and readdir(3). Takes one descriptor, and closes no spare ones to get it.
    static func names(at path: String) throws(Errno) -> [String] {
        try unsafe names(in: perform(.open, path) { unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    }

    /// readlinkat(2): the names of the symbolic links there whose targets end with `ending`, without those that have
    /// gone meanwhile. Targets are read into the stack: there may be thousands.
    static func links(at path: String, endingWith ending: ArraySlice<UInt8>) throws(Errno) -> [String] {
        let raw = try perform(.open, path) { unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        return try unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) {
            target throws(Errno) in
            try unsafe names(in: raw) { name in
                guard let start = target.baseAddress else { return false }
                let end = unsafe readlinkat(raw, name, start, target.count)
                guard end >= ending.count else { return false }
                return unsafe target[end - ending.count..<end].elementsEqual(ending) { UInt8(bitPattern: $0) == $1 }
            }
        }
    }

    /// Takes over the descriptor.
    private static func names(
        in raw: Int32, where isWanted: (UnsafePointer<CChar>) -> Bool = { _ in true }
    ) throws(Errno) -> [String] {
        guard let stream = unsafe fdopendir(raw) else {
            let error = Errno.current
            _ = Glibc.close(raw)
            throw error
        }
        defer { _ = unsafe closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                let error = Errno.current
                if error.rawValue != 0 { throw error }
                return names
            }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe isWanted($0) ? String(validatingCString: $0) : nil
                }
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
    }
}
