import GroupFiles
import JSONText
import SystemCalls

/// `doctor`: checks that everything is there that watching and writing need.
enum DoctorCommand {
    static func run(_ arguments: Arguments) throws(Failure) {
        // Signals wait until the doctor has removed what it makes.
        let loop = try MainLoop()
        let (container, findings) = try examine(arguments)
        if case .ended(let signal, _) = try loop.wait(until: .now) { throw .signalled(signal) }

        if arguments.has(.json) {
            let report = JSONObject([
                JSONObject.Member("container", container.map(JSONValue.string) ?? .null),
                JSONObject.Member("findings", .array(findings.map(\.json))),
            ])
            try loop.write(JSONPrinter().bytes(of: .object(report)) + [UInt8(ascii: "\n")])
        } else {
            try loop.write(Array(text(findings).utf8))
        }
        if findings.contains(where: { $0.level == .problem }) { throw .quiet(.conditionFalse) }
    }

    /// What was found, and in which container; nil if nothing says where containers are.
    private static func examine(
        _ arguments: Arguments
    ) throws(Failure) -> (container: String?, findings: [Finding]) {
        let container: String
        do throws(Failure) {
            container = try Location.container(arguments)
        } catch {
            guard error.code == ExitCode.noSuchValue.rawValue else { throw error }
            let nowhere = Finding(
                level: .problem, subject: "container", text: error.message, advice: "or name one with --container")
            return (nil, [nowhere] + InotifyExamination.findings())
        }
        let place = ContainerExamination(container)
        var findings = place.findings()
        if let directory = place.nearestDirectory {
            findings.append(FileSystemExamination.finding(directory))
            findings += InotifyExamination.findings()
            findings.append(RoundTrip.finding(beside: directory, isContainer: directory == container))
        }
        if place.isThere {
            findings += ControlExamination.findings(container)
            do throws(Failure) {
                findings += try values(in: container)
            } catch {
                findings.append(Finding(level: .problem, subject: "values", text: error.message))
            }
        }
        return (container, findings)
    }

    private static func text(_ findings: [Finding]) -> String {
        let width = findings.map(\.subject.count).max() ?? 0
        return findings.map { finding in
            let level = finding.level.rawValue + String(repeating: " ", count: 7 - finding.level.rawValue.count)
            let subject = finding.subject + String(repeating: " ", count: width - finding.subject.count)
            let advice = finding.advice.map { "; \($0)" } ?? ""
            return "\(level)  \(subject)  \(finding.text)\(advice)".oneLine + "\n"
        }.joined()
    }

    private static func values(in container: String) throws(Failure) -> [Finding] {
        let names = try ListCommand.names(in: container)
        let bad = try bad(names, in: container)
        let good = Finding(
            level: .good, subject: "values", text: "\(names.count - bad.count) of \(names.count) are JSON",
            facts: [JSONObject.Member("count", number: names.count)])
        return [good] + bad.map(finding) + findings(try Self.bad(others(in: container, besides: names), in: container))
    }

    /// Entries with a name that a value could have, but that are not files.
    private static func others(in container: String, besides names: [String]) throws(Failure) -> [String] {
        let values = Set(names.map(ExactName.init))
        let names = try Failure.wrapping("list the container", about: container) { () throws(Errno) in
            try Directory(path: container).names()
        }
        return names.filter { ValueName.isValid($0) && !values.contains(ExactName($0)) }.sorted()
    }

    private typealias BadEntry = (name: String, error: GroupFileError)

    private static func bad(_ names: [String], in container: String) throws(Failure) -> [BadEntry] {
        var bad: [BadEntry] = []
        for name in names {
            let file = try Location(name, in: container).openForReading(notifies: false)
            if case .invalid(let error) = file.status { bad.append((name, error)) }
        }
        return bad
    }

    private static func finding(_ entry: BadEntry) -> Finding {
        // An entry that is not a file matters only if a value of its name is wanted.
        Finding(
            level: entry.error.code == .notRegularFile ? .note : .problem, subject: "value \(entry.name)",
            text: entry.error.sentence, facts: [JSONObject.Member("name", .string(entry.name))])
    }

    /// One line for all entries that are not files: a directory that is more than a container may have thousands.
    private static func findings(_ others: [BadEntry]) -> [Finding] {
        let names = others.filter { $0.error.code == .notRegularFile }.map(\.name)
        if names.count < 2 { return others.map(finding) }
        let few = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
        let note = Finding(
            level: .note, subject: "values", text: "\(names.count) entries are not files: \(few); they are left alone",
            facts: [JSONObject.Member("names", strings: names)])
        return others.filter { $0.error.code != .notRegularFile }.map(finding) + [note]
    }
}
