import Glibc

/// An executable file whose start does not say what runs it: the shell does, as with execvp(3).
enum ShellScript {
    static let shell = Array("/bin/sh".utf8)

    /// The words that run `command` in the shell; nil if its file is not text, or may not be read.
    static func words(_ command: [[UInt8]]) -> [[UInt8]]? {
        let name = command[0]
        let place = name.contains(UInt8(ascii: "/")) ? name : SearchPath.place(of: name, allowing: X_OK)
        guard let place, isText(place) else { return nil }
        return [shell, place] + command.dropFirst()
    }

    /// As bash decides: no NUL in the first line, or in what is examined of it.
    private static func isText(_ place: [UInt8]) -> Bool {
        do throws(Errno) {
            let path = String(decoding: place, as: UTF8.self)
            let file = FileDescriptor(
                owning: try performOpening(.open, path) {
                    unsafe Glibc.open(place.terminated, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
                })
            return try !file.readStart(80).prefix { $0 != UInt8(ascii: "\n") }.contains(0)
        } catch {
            return false
        }
    }
}
