import SystemCalls

/// Content that did not decode, or cannot be carried over, and was about to be overwritten: kept for its user as
/// `<name>.rejected`, `.rejected.1` … `.9`.
enum RejectedContent {
    /// What a killed writer may have left in the control directory: his temporary file, or what it displaced and nobody has
    /// judged yet.
    ///
    /// One cannot be told from the other. What is a value, or has nothing in it, is thrown away; all else is kept.
    static func sweep(
        _ temporary: String, of name: String, in control: Directory, limit: Int, isWorthless: (Content) -> Bool
    ) throws(Errno) {
        let left = DirectoryFile.read(temporary, in: control, limit: limit).content
        if left == .missing { return }
        do throws(Errno) {
            if left == .bytes([]) || isWorthless(left) {
                try control.unlink(temporary)
            } else {
                _ = try keep(temporary, left, of: name, in: control, limit: limit)
            }
        } catch .noEntry {
            // It could not be read, and is not there either.
        }
    }

    /// Moves a file of the control directory among the kept ones, unless one of them is equal; then it is removed. What is longer than
    /// `limit` is kept, too, but not compared. Returns its name there, if it has a new one.
    static func keep(
        _ temporary: String, _ content: Content, of name: String, in control: Directory, limit: Int
    ) throws(Errno) -> String? {
        let places = ["\(name).rejected"] + (1...9).map { "\(name).rejected.\($0)" }
        var free: String?
        var oldest: (place: String, changed: Int64)?
        for place in places {
            let (kept, fingerprint) = DirectoryFile.read(place, in: control, limit: limit)
            if case .bytes = content, kept == content {
                try control.unlink(temporary)
                return nil
            }
            if kept == .missing {
                free = free ?? place
            } else if let fingerprint, fingerprint.changed < oldest?.changed ?? .max {
                oldest = (place, fingerprint.changed)
            }
        }
        guard let place = free ?? oldest?.place else { throw .exists }
        try control.rename(temporary, to: place, .replace)
        return place
    }
}
