import CSystemCalls
import Glibc

/// How to open a file: the O_ flags of open(2). Close-on-exec is added in any case.
package struct OpenFlags: OptionSet, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Concrete, so that other modules do not specialize the standard library's generic version.
    package init(arrayLiteral flags: OpenFlags...) {
        var rawValue: Int32 = 0
        for flag in flags { rawValue |= flag.rawValue }
        self.rawValue = rawValue
    }

    package static let readOnly: OpenFlags = []
    package static let writeOnly = OpenFlags(rawValue: O_WRONLY)
    package static let readWrite = OpenFlags(rawValue: O_RDWR)
    package static let create = OpenFlags(rawValue: O_CREAT)
    package static let exclusive = OpenFlags(rawValue: O_EXCL)
    package static let truncate = OpenFlags(rawValue: O_TRUNC)
    package static let directory = OpenFlags(rawValue: O_DIRECTORY)
    /// A FIFO or a device in a value's place then blocks nobody.
    package static let nonBlocking = OpenFlags(rawValue: O_NONBLOCK)
    static let pathOnly = OpenFlags(rawValue: cs_o_path)
    /// A symbolic link is an error, ELOOP. Calls on a ``Directory`` pass this in any case.
    package static let noFollow = OpenFlags(rawValue: O_NOFOLLOW)
    /// A terminal in a value's place does not become ours.
    package static let noTerminal = OpenFlags(rawValue: O_NOCTTY)
}
