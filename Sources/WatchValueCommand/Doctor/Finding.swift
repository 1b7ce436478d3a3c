import JSONText
import SystemCalls

/// What the doctor found, and what to do about it.
struct Finding: Sendable {
    enum Level: String, Sendable {
        case good
        /// Worth knowing.
        case note
        case problem
    }

    let level: Level
    let subject: String
    let text: String
    /// What to do; nil if all is well.
    var advice: String?
    /// The same facts, for programs.
    var facts: [JSONObject.Member] = []

    /// What to do if something could not be examined, depending on the error; otherwise `advice`. `isInProc`: it is
    /// read from /proc.
    static func advice(on error: Errno, isInProc: Bool = false, else advice: String?) -> String? {
        switch error {
        case .tooManyOpenFiles: "raise ulimit -n"
        case .noEntry where isInProc: "mount /proc"
        default: advice
        }
    }

    var json: JSONValue {
        var members = [
            JSONObject.Member("subject", .string(subject)), JSONObject.Member("level", .string(level.rawValue)),
            JSONObject.Member("text", .string(text)),
        ]
        if let advice { members.append(JSONObject.Member("advice", .string(advice))) }
        return .object(JSONObject(members + facts))
    }
}

extension JSONObject.Member {
    init(_ key: String, number: Int) {
        self.init(key, .number(JSONNumber(number)))
    }

    init(_ key: String, strings: [String]) {
        self.init(key, .array(strings.map(JSONValue.string)))
    }
}
