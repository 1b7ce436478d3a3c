import GroupFiles
import JSONText
import SystemCalls

/// `doctor`: looks whether everything is there that watching and writing need.
enum DoctorCommand {
    static func run(_ arguments: Arguments) throws(Failure) {
        // Signals wait until what it makes is removed.
        let loop = try MainLoop()
        let container = try Location.container(arguments)
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
        if case .ended(let signal, _) = try loop.wait(until: .now) { throw .signalled(signal) }

        if arguments.has(.json) {
            let report = JSONObject([
                JSONObject.Member("container", .string(container)),
                JSONObject.Member("findings", .array(findings.map(\.json))),
            ])
            try Output.write(JSONPrinter().bytes(of: .object(report)) + [UInt8(ascii: "\n")])
        } else {
            try Output.write(text(findings))
        }
        if findings.contains(where: { $0.level == .problem }) { throw .quiet(ExitCode.conditionFalse.rawValue) }
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
        var bad: [Finding] = []
        let names = try ListCommand.names(in: container)
        for name in names {
            var arguments = Arguments(.doctor)
            arguments.set(.container, container)
            let file = try Location(name, arguments).openForReading(notifies: false)
            if case .invalid(let error) = file.status {
                bad.append(
                    Finding(
                        level: .problem, subject: "value \(name)", text: error.sentence,
                        facts: [JSONObject.Member("name", .string(name))]))
            }
        }
        let good = Finding(
            level: .good, subject: "values", text: "\(names.count - bad.count) of \(names.count) are JSON",
            facts: [JSONObject.Member("count", number: names.count)])
        return [good] + bad
    }
}
