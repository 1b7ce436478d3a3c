import GroupFiles
import JSONText
import SystemCalls

/// The values: which are bad, and which entries among them are not files.
enum ValuesExamination {
    static func findings(_ container: String) throws(Failure) -> [Finding] {
        let names = try ListCommand.names(in: container)
        let bad = try bad(names, in: container)
        let good = Finding(
            level: bad.isEmpty ? .good : .note, subject: "values",
            text: "\(names.count - bad.count) of \(names.count) are JSON",
            facts: [JSONObject.Member("count", number: names.count)])
        let others = try Self.bad(others(in: container, besides: names), in: container)
        return [good] + bad.map(finding) + summary(of: others)
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
    private static func summary(of others: [BadEntry]) -> [Finding] {
        let names = others.filter { $0.error.code == .notRegularFile }.map(\.name)
        if names.count < 2 { return others.map(finding) }
        let few = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
        let note = Finding(
            level: .note, subject: "values", text: "\(names.count) entries are not files: \(few); they are left alone",
            facts: [JSONObject.Member("names", strings: names)])
        return others.filter { $0.error.code != .notRegularFile }.map(finding) + [note]
    }
}
