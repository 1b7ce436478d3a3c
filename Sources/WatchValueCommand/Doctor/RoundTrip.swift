import GroupFiles
import JSONText
import SystemCalls

/// How long it takes from a write until another process has printed the value: measured in a folder of its own.
enum RoundTrip {
    private static let subject = "round trip"
    private static let action = "measure it"
    private static let rounds = 20
    private static let patience = Duration.seconds(5)

    /// Measures beside the container, if that is on its file system; `isContainer` says whether `directory` is the
    /// container.
    static func finding(beside directory: String, isContainer: Bool) -> Finding {
        let parent = isContainer ? place(for: directory) : directory
        do throws(Failure) {
            // The error names the parent: the user knows nothing of the folder.
            try Failure.wrapping("make a folder in \(parent)") { () throws(Errno) in
                try Path.checkMayWrite(in: parent)
            }
            let directory = try Failure.wrapping(action) { () throws(Errno) in try Directory(path: parent) }
            for name in DoctorFolder.abandoned(in: directory) { remove(name, in: directory, at: parent) }
            // Reserves descriptors for removing the folder, in case measuring runs out of them.
            let reserve = try Failure.wrapping(action) { () throws(Errno) in try PipeEnds() }
            let (name, folder) = try Failure.wrapping("make a folder in \(parent)") { () throws(Errno) in
                try DoctorFolder.make(in: directory)
            }
            let measured = Result { () throws(Failure) in try measure(in: parent + "/" + name) }
            _ = consume reserve
            remove(name, folder, in: directory, at: parent)
            let times = try measured.get()
            let median = times[times.count / 2]
            let worst = times[times.count - 1]
            return Finding(
                level: .good, subject: subject,
                text:
                    "\(median) µs from a write to another process that prints it (worst of \(times.count): \(worst) µs)",
                facts: [
                    JSONObject.Member("median_us", number: median), JSONObject.Member("worst_us", number: worst),
                ])
        } catch {
            let isPermission =
                error.code == ExitCode.noPermission.rawValue && !FileSystemExamination.isReadOnly(parent)
            return Finding(
                level: isPermission ? .note : .problem, subject: subject, text: "not measured: \(error.message)",
                advice: isPermission ? "run it as a user who may write in \(parent)" : "look at the findings above")
        }
    }

    /// The container's parent; or the container itself, if the parent is on another file system or mounted read-only,
    /// or if only the container can be written to.
    private static func place(for container: String) -> String {
        guard let parent = Path.beforeLastSlash(container), !parent.isEmpty else { return container }
        do throws(Errno) {
            let isSame = try Path.isSameFileSystem(parent, container)
            if !isSame || FileSystemExamination.isReadOnly(parent) { return container }
            if try Path.mayWrite(in: parent) { return parent }
            return try Path.mayWrite(in: container) ? container : parent
        } catch {
            return container
        }
    }

    private static func measure(in folder: String) throws(Failure) -> [Int] {
        let file = try Location("value", in: folder).openForWriting(durability: .relaxed, lockTimeout: patience)
        try write(0, to: file)
        var pipe = try Failure.wrapping(action) { () throws(Errno) in try PipeEnds() }
        let words = [CurrentProcess.executable, "watch", "--container", folder, "value"]
        // Its complaints about this value do not concern the user.
        let null = "/dev/null"
        let nowhere = try Failure.wrapping("open \(null)") { () throws(Errno) in
            try FileDescriptor.open(null, [.writeOnly])
        }
        let watch = try Program(words: words.map { Array($0.utf8) }).start(
            nil, output: pipe.writingEnd, errors: nowhere.rawValue, environment: [], leadsGroup: false, about: subject)
        pipe.closeWriting()
        defer {
            do throws(Errno) {
                try watch.send(.terminate)
                _ = try watch.wait()
            } catch {}  // It is gone already.
        }
        try awaitLine(pipe)
        var times: [Int] = []
        for round in 1...rounds {
            let start = Moment.now
            try write(round, to: file)
            try awaitLine(pipe)
            times.append(Int((Moment.now.nanoseconds - start.nanoseconds) / 1000))
        }
        return times.sorted()
    }

    private static func write(_ number: Int, to file: GroupFile<JSONDocument>) throws(Failure) {
        do throws(GroupFileError) {
            try file.write(JSONDocument(value: .number(JSONNumber(number))))
        } catch {
            throw Failure(error, about: subject)
        }
    }

    private static func awaitLine(_ pipe: borrowing PipeEnds) throws(Failure) {
        let bytes = try Failure.wrapping(action) { () throws(Errno) -> [UInt8] in
            var entries = [Poll.Entry(pipe.reading.rawValue, .readable)]
            guard try Poll.wait(&entries, until: .now + patience) else { return [] }
            return try pipe.read()
        }
        if bytes.isEmpty { throw Failure(.timeout, "no other process saw a write within 5 s") }
    }

    /// Removes what a doctor made, and nothing else: in the pinned folder, whatever bears that folder's name by now.
    private static func remove(_ name: String, _ pinned: Directory? = nil, in directory: Directory, at parent: String) {
        do throws(Errno) {
            let folder: Directory
            if let pinned { folder = pinned } else { folder = try Directory(name, in: directory) }
            try whereThere { () throws(Errno) in
                let control = try Directory(ControlDirectory.name, in: folder)
                for file in try control.names() { try whereThere { () throws(Errno) in try control.unlink(file) } }
                try folder.removeDirectory(ControlDirectory.name)
            }
            try whereThere { () throws(Errno) in try folder.unlink("value") }
            try whereThere { () throws(Errno) in
                if try directory.status(of: name).identity == folder.identity { try directory.removeDirectory(name) }
            }
        } catch {
            Output.complain("\(parent)/\(name): cannot be removed: \(error); remove it")
        }
    }

    /// If making the folder failed, some of it is missing.
    private static func whereThere(_ remove: () throws(Errno) -> Void) throws(Errno) {
        do throws(Errno) { try remove() } catch .noEntry {}
    }
}
