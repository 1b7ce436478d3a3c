import Dispatch
import Glibc
import GroupFiles
import SystemCalls

/// A program that closes descriptors that it does not know, or gives their numbers to files of its own.
extension Probe {
    /// DIR WHAT HOW: observes `v`, then takes the library's descriptors whose links contain one of the words of WHAT,
    /// which commas separate. HOW is `closed`, `null` for /dev/null, or `ended` for a pipe that nobody writes to.
    /// Prints what is not reported afterwards, whether the library rests then, and how many of the program's files are
    /// still open in the end.
    static func takenDescriptors(_ arguments: [String]) throws {
        let (directory, how) = (arguments[0], arguments[2])
        let words = arguments[1].split(separator: ",")
        try replace(directory, "v", 1)
        var file: GroupFile<Int>? = try open(directory, "v", .readOnly)
        let (one, taking) = (try follow(unwrapped(file)) { $0.value == 1 }, try replacement(how))
        expect("before", one.told, within: 20)
        let taken = try numbers { link in words.contains { link.contains($0) } }
        say("taken \(taken.count)")
        for number in taken { if let taking { dup2(taking, number) } else { close(number) } }
        for value in 2...4 {
            let told = try follow(unwrapped(file)) { $0.value == value }
            try replace(directory, "v", value)
            guard told.told.wait(timeout: .now() + .seconds(20)) == .success else { return say("\(value) is not told") }
        }
        // This takes a timer: nothing is reported before the writer pauses.
        let reported = try follow(unwrapped(file)) { if case .invalid = $0.status { true } else { false } }
        try FileDescriptor.open(directory + "/v", [.writeOnly, .truncate]).writeAll(Array("nonsense".utf8))
        guard reported.told.wait(timeout: .now() + .seconds(20)) == .success else { return say("it is not reported") }
        reported.subscription.cancel()
        one.subscription.cancel()
        let before = clock()
        Thread.sleep(for: .seconds(1))
        say("rests \(clock() - before < CLOCKS_PER_SEC / 3)")
        file = nil
        // Once the inotify descriptor is closed, everything is.
        while try !numbers({ $0.contains("inotify") }).isEmpty { Thread.sleep(for: .milliseconds(1)) }
        if taking != nil { say("kept \(taken.filter { fcntl($0, F_GETFD) >= 0 }.count)") }
    }

    /// DIR: opens and observes a value, and prints which of the standard streams are open then.
    static func withoutStreams(_ arguments: [String]) throws {
        try replace(arguments[0], "v", 1)
        let file = try open(arguments[0], "v")
        let one = follow(file) { $0.value == 1 }
        one.told.wait()
        try file.write(2)
        let streams = (0...2 as ClosedRange<Int32>).filter { fcntl($0, F_GETFD) >= 0 }
        try FileDescriptor.open(arguments[0] + "/../streams", [.writeOnly, .create], permissions: 0o600)
            .writeAll(Array("\(streams) \(file.value)".utf8))
    }

    private static func unwrapped(_ file: GroupFile<Int>?) throws -> GroupFile<Int> {
        guard let file else { throw Errno.noEntry }
        return file
    }

    /// What takes the place of a descriptor; nil if that is only closed.
    private static func replacement(_ how: String) throws -> Int32? {
        switch how {
        case "null": return unsafe Glibc.open("/dev/null", O_RDWR)
        case "ended":
            var ends: [Int32] = [0, 0]
            guard unsafe pipe(&ends) == 0 else { throw Errno.tooManyOpenFiles }
            close(ends[1])
            return ends[0]
        default: return nil
        }
    }

    /// The numbers of this process's descriptors whose links are wanted.
    private static func numbers(_ isWanted: (String) -> Bool) throws -> [Int32] {
        try Directory(path: "/proc/self/fd").names().compactMap { name in
            do throws(Errno) {
                return try isWanted(Path.linkTarget(of: "/proc/self/fd/\(name)")) ? Int32(name) : nil
            } catch {
                return nil  // This descriptor lists the others.
            }
        }
    }
}
