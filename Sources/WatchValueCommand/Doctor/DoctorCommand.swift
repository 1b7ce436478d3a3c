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
                findings += try ValuesExamination.findings(container)
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
}
