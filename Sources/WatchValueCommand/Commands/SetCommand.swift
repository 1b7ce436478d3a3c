import GroupFiles
import JSONText
import SystemCalls

/// `set`: replaces the value.
struct SetCommand {
    private let arguments: Arguments
    private let location: Location
    private let lockTimeout: Duration?

    init(_ arguments: Arguments) throws(Failure) {
        self.arguments = arguments
        location = try Location(arguments.operands[0], arguments)
        lockTimeout = try arguments.timeout()
    }

    func run() throws(Failure) {
        let heldLocks = try HeldLocks()
        let interruptible = try Interruptible()
        let word = arguments.operands[1]
        let isInput = word == "-"
        var text = Array(word.utf8)
        if isInput {
            text = try interruptible.run(about: location) { () throws(Failure) in try Self.standardInput() }
        }
        let document = try document(text, isInput: isInput)
        let file = try interruptible.look { () throws(Failure) in
            try location.openForWriting(durability: arguments.durability, lockTimeout: lockTimeout, checking: heldLocks)
        }
        try interruptible.change(location) { try await file.write(document) }
    }

    private static func standardInput() throws(Failure) -> [UInt8] {
        let limit = JSONDocument.mostBytes
        // A terminal stops a process in the background that reads from it, until its shell continues it; but reading
        // fails if all signals are blocked, as in the threads that are made here.
        Signal.terminalInput.unblock()
        let bytes = try Failure.wrapping("read standard input") { () throws(Errno) in
            try StandardStream.input.readToEnd(limit: limit)
        }
        if bytes.count > limit {
            throw Failure(
                .badContent, "it has more than \(limit) bytes, the most that a value may have",
                about: "standard input")
        }
        return bytes
    }

    private func document(_ text: [UInt8], isInput: Bool) throws(Failure) -> JSONDocument {
        if arguments.has(.string) {
            // One final newline is not part of the string; $(…) would drop it, too.
            let body = isInput && text.last == UInt8(ascii: "\n") ? text.dropLast() : text[...]
            guard let string = String(validating: body, as: UTF8.self) else {
                throw Failure(.badContent, "it is not UTF-8", about: "standard input")
            }
            return JSONDocument(value: .string(string))
        }
        do throws(JSONTextError) {
            return try JSONDocument(parsing: text)
        } catch {
            let advice = isInput ? "" : " For a string, add --string."
            throw Failure(.badContent, "\(error)\(advice)", about: isInput ? "standard input" : "VALUE")
        }
    }
}
