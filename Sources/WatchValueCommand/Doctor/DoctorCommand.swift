import GroupFiles
import JSONText
import SystemCalls

/// `doctor`: checks that everything that watching and writing need is there.
enum DoctorCommand {
    /// How long the container's file system may take to answer.
    private static let patience = Duration.seconds(5)
    /// The same for everything that is examined: while the kernel knows a file's attributes, it notices late that a
    /// server is gone.
    private static let longest = Duration.seconds(60)
    private static let silence = Failure.quiet(.timeout)

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
        do throws(Failure) {
            return (container, try findings(container, interruptible))
        } catch {
            guard error.code == silence.code else { throw error }
            let silent = Finding(
                level: .problem, subject: "file system", text: "\(container) does not answer",
                advice: "check its server, or what is mounted there: every program that looks there waits")
            return (container, [silent] + InotifyExamination.findings())
        }
    }

    /// Throws ``silence`` if the container's file system does not answer.
    private static func findings(
        _ container: String, _ interruptible: Interruptible
    ) throws(Failure) -> [Finding] {
        let soon: Interruptible.Deadline = (.now + patience, silence)
        let place = try interruptible.look(until: soon) { () throws(Failure) in ContainerExamination(container) }
        var first: EndingSignal?
        let late: Interruptible.Deadline = (.now + longest, silence)
        let findings = try interruptible.look(until: late) { () throws(Failure) in
            Self.findings(container, place)
        } onSignal: { signal throws(Failure) in
            // The first signal waits until the doctor has removed what it makes.
            if first != nil { throw .signalled(signal) }
            first = signal
        }
        if let first { throw .signalled(first) }
        return findings
    }

    private static func findings(_ container: String, _ place: ContainerExamination) -> [Finding] {
        var findings = place.findings()
        if let directory = place.nearestDirectory {
            findings.append(FileSystemExamination.finding(directory))
            findings += InotifyExamination.findings()
            findings.append(RoundTrip.finding(beside: directory, isContainer: directory == container))
        } else {
            findings += InotifyExamination.findings()
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
        let longest = Finding.Level.problem.rawValue.count
        let width = findings.map(\.subject.count).max() ?? 0
        return findings.map { finding in
            let level = finding.level.rawValue.padded(to: longest)
            let subject = finding.subject.padded(to: width)
            let advice = finding.advice.map { "; \($0)" } ?? ""
            return "\(level)  \(subject)  \(finding.text)\(advice)".oneLine + "\n"
        }.joined()
    }
}
