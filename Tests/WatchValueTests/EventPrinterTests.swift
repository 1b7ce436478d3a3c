import JSONText
import Testing

@testable import WatchValueCommand

/// What is printed for events.
struct EventPrinterTests {
    /// The first change is compared with the value that `--no-initial` leaves out.
    @Test func theFirstDifferenceIsToWhatWasThere() throws {
        var arguments = Arguments(.watch)
        arguments.operands = ["v"]
        arguments.set(.diff, "")
        arguments.set(.color, "never")
        var printer = try EventPrinter(arguments)
        printer.skip(.value(try JSONValue(parsing: #"{"a":1,"b":2}"#)))
        let line = printer.bytes(.value(try JSONValue(parsing: #"{"a":1,"b":3}"#)), name: "v")
        #expect(String(decoding: line, as: UTF8.self) == ".b: 2 → 3\n")
    }

    @Test func aComplaintRepeatsOnlyTheBeginningOfALongValue() throws {
        var arguments = Arguments(.watch)
        arguments.operands = ["v"]
        arguments.set(.plot, "")
        let value = JSONValue.string(String(repeating: "ä", count: 1_000_000))
        let complaint = try EventPrinter(arguments).complaint(.value(value), name: "v")
        let shown = "\"" + String(repeating: "ä", count: 29)
        #expect(complaint == "v: \(shown)… is not a number that --plot can draw; pick one with --at")
    }
}
