import GroupFiles
import JSONText
import SystemCalls

/// `doctor`: checks that everything is there that watching and writing need.
enum DoctorCommand {
    /// For how long the container's file system may take to answer.
    private static let patience = Duration.seconds(5)

    static func run(_ arguments: Arguments) throws(Failure) {
        let loop = try MainLoop()
        let (container, findings) = try examine(arguments, Interruptible(loop))
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
        _ arguments: Arguments, _ interruptible: Interruptible
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
        guard try answers(container, interruptible) else {
            let silent = Finding(
                level: .problem, subject: "file system", text: "\(container) has not answered for \(patience)",
                advice: "see to its server, or to what is mounted there: every program that looks there waits")
            return (container, [silent] + InotifyExamination.findings())
        }
        var first: Signal?
        let findings = try interruptible.look { () throws(Failure) in
            Self.findings(container)
        } onSignal: { signal, _ throws(Failure) in
            // The first one waits until the doctor has removed what it makes.
            if first != nil { throw .signalled(signal) }
            first = signal
        }
        if let first { throw .signalled(first) }
        return (container, findings)
    }

    /// Whether it can be told in time what is there.
    private static func answers(_ container: String, _ interruptible: Interruptible) throws(Failure) -> Bool {
        let late = Failure.quiet(.timeout)
        let deadline: Interruptible.Deadline = (.now + patience, late)
        do throws(Failure) {
            try interruptible.look(until: deadline) { () throws(Failure) in
                _ = ContainerExamination(container)
            }
            return true
        } catch {
            if error.code == late.code { return false }
            throw error
        }
    }

    private static func findings(_ container: String) -> [Finding] {
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
        return findings
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
