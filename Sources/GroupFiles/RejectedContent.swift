import SystemCalls

/// Content that did not decode and was about to be overwritten: kept for its user as `<name>.rejected`, `.rejected.1` … `.9`.
enum RejectedContent {
    /// What a killed writer may have left at `path`: his temporary file, or what it displaced and nobody has judged yet.
    ///
    /// One cannot be told from the other. What is a value, or has nothing in it, is thrown away; all else is kept.
    static func sweep(
        _ path: String, of name: String, in directory: Directory, limit: Int, isWorthless: (Content) -> Bool
    ) throws(Errno) {
        let left = DirectoryFile.read(path, in: directory, limit: limit).content
        if left == .missing { return }
        do throws(Errno) {
            if left == .bytes([]) || isWorthless(left) {
                try directory.unlink(path)
            } else {
                try keep(path, left, of: name, in: directory, limit: limit)
            }
        } catch .noEntry {
            // It could not be read, and is not there either.
        }
    }

    /// Moves the file at `path` among the kept ones, unless one of them is equal; then it is removed. What is longer than
    /// `limit` is kept, too, but not compared.
    static func keep(
        _ path: String, _ content: Content, of name: String, in directory: Directory, limit: Int
    ) throws(Errno) {
        let places = ["\(name).rejected"] + (1...9).map { "\(name).rejected.\($0)" }
        var free: String?
        var oldest: (place: String, changed: Int64)?
        for place in places.map(ControlDirectory.path) {
            let (kept, fingerprint) = DirectoryFile.read(place, in: directory, limit: limit)
            if case .bytes = content, kept == content {
                try directory.unlink(path)
                return
            }
            if kept == .missing {
                free = free ?? place
            } else if let fingerprint, fingerprint.changed < oldest?.changed ?? .max {
                oldest = (place, fingerprint.changed)
            }
        }
        guard let place = free ?? oldest?.place else { throw .exists }
        try directory.rename(path, to: place, .replace)
    }
}
