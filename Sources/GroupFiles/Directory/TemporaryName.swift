import SystemCalls

/// One of the ``TemporaryNames`` of a value, taken until it is released; for ever if it is retired.
struct TemporaryName: ~Copyable {
    let text: String
    private let number: Int
    private let file: DirectoryFile
    private var isRetired = false

    init(_ name: (text: String, number: Int), of file: DirectoryFile) {
        (text, number) = name
        self.file = file
    }

    /// A file with this name remains, and may be a user's: the next writer must not take it for its own.
    mutating func retire() { isRetired = true }

    deinit {
        // In a forked child the file's mutex may stay locked for ever.
        if !isRetired, !CurrentProcess.isForked { file.giveBack(number) }
    }
}
