import Foundation
import Synchronization
import Testing

@testable import JSONText

/// Depth is bounded, and values within the bound need only a small stack.
struct DepthTests {
    static let brackets = [("[", "1", "]"), (#"{"a":"#, "1", "}"), (#"[{"a":"#, "[1]", "}]")]

    /// `depth` brackets around a value.
    private static func nested(_ depth: Int, open: String = "[", value: String = "", close: String = "]") -> String {
        String(repeating: open, count: depth) + value + String(repeating: close, count: depth)
    }

    @Test func accepts512LevelsAndRefuses513() throws {
        for (open, value, close) in Self.brackets.dropLast() {
            let text = Self.nested(512, open: open, value: value, close: close)
            #expect(try JSONValue(parsing: text).description == text)
            let error = #expect(throws: JSONTextError.self) {
                try JSONValue(parsing: Self.nested(513, open: open, value: value, close: close))
            }
            #expect(error?.message == "Expected at most 512 levels of nesting, found more.")
            #expect(error?.byteOffset == 512 * open.utf8.count)
        }
    }

    @Test(arguments: ["]", ""])
    func refuses100000LevelsAtOnce(close: String) {
        let text = Array(Self.nested(100_000, close: close).utf8)
        let error = #expect(throws: JSONTextError.self) { try JSONValue(parsing: text) }
        #expect(error?.byteOffset == 512)
    }

    @Test(arguments: brackets)
    func deepestValueTakesASmallStack(open: String, value: String, close: String) throws {
        let levels = 512 / (open.count { $0 == "[" || $0 == "{" }) - (value == "[1]" ? 1 : 0)
        let text = Self.nested(levels, open: open, value: value, close: close)
        let outcome = try Self.onSmallStack {
            let tree = try JSONValue(parsing: text)
            let twin = try JSONValue(parsing: text.replacing("1", with: "1.0"))
            let changed = try JSONValue(parsing: text.replacing("1", with: "2"))
            let pretty = try JSONValue(parsing: JSONPrinter(layout: .pretty, sortsKeys: true).bytes(of: tree))
            let difference = JSONDifference.all(from: tree, to: changed)
            let place = SourcePlace(of: difference.first?.path.codingPath ?? [], in: Array(text.utf8))
            return tree == twin && tree == pretty && tree != changed && difference.count == 1
                && place?.byteOffset == text.utf8.count - text.split(separator: "1")[1].utf8.count - 1
        }
        #expect(outcome)
    }

    /// Runs `body`, and frees what it created, on a thread with a stack of 256 KiB.
    private static func onSmallStack(_ body: @escaping @Sendable () throws -> Bool) throws -> Bool {
        let outcome = Outcome()
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            let result = Result { try body() }
            outcome.result.withLock { $0 = result }
            done.signal()
        }
        thread.stackSize = 256 << 10
        thread.start()
        done.wait()
        return try outcome.result.withLock { try $0.get() }
    }

    private final class Outcome: Sendable {
        let result = Mutex<Result<Bool, any Error>>(.success(false))
    }
}
