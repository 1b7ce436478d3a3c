import GroupFiles
import JSONText
import Testing

@testable import WatchValueCommand

struct EventLineTests {
    static let lines: [(event: WatchEvent, members: String)] = [
        (.value(.array([.bool(true)])), #""event":"value","name":"v","value":[true]"#),
        (.missing, #""event":"missing","name":"v""#),
        (.polling("no inotify"), #""event":"health","name":"v","health":"polling","reason":"no inotify""#),
        (.live, #""event":"health","name":"v","health":"live""#),
    ]

    /// Members in this order, then the time.
    @Test(arguments: lines.indices) func aLineSaysWhatAndWhen(index: Int) throws {
        let line = String(decoding: EventLine.line(Self.lines[index].event, name: "v"), as: UTF8.self)
        #expect(line.hasPrefix("{" + Self.lines[index].members + #","time":""#))
        #expect(line.hasSuffix("Z\"}\n"))
        #expect(throws: Never.self) { try JSONValue(parsing: line) }
    }
}
