import FoundationEssentials
import JSONText

/// A line of `--events`.
enum EventLine {
    static func line(_ event: WatchEvent, name: String) -> [UInt8] {
        var members = [JSONObject.Member("event", .string(kind(event))), JSONObject.Member("name", .string(name))]
        switch event {
        case .value(let value): members.append(JSONObject.Member("value", value))
        case .missing: break
        case .invalid(let error, _): members.append(JSONObject.Member("error", .string(error.sentence)))
        case .polling(let reason):
            members.append(JSONObject.Member("health", .string("polling")))
            members.append(JSONObject.Member("reason", .string(reason)))
        case .live: members.append(JSONObject.Member("health", .string("live")))
        }
        let time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        members.append(JSONObject.Member("time", .string(time)))
        return JSONPrinter().bytes(of: .object(JSONObject(members))) + [UInt8(ascii: "\n")]
    }

    private static func kind(_ event: WatchEvent) -> String {
        switch event {
        case .value: "value"
        case .missing: "missing"
        case .invalid: "invalid"
        case .polling, .live: "health"
        }
    }
}
