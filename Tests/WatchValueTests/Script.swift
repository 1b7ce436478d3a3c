import Testing

/// A script, and the expected result.
struct Script: Sendable, CustomTestStringConvertible {
    let script: String
    var input: String?
    let output: String
    let code: Int32
    /// Text that stderr must contain; nil if stderr must be empty.
    var error: String?

    init(_ script: String, input: String? = nil, _ output: String = "", code: Int32 = 0, error: String? = nil) {
        self.script = script
        self.input = input
        self.output = output
        self.code = code
        self.error = error
    }

    var testDescription: String { script }

    func check() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(script, input: input)
            #expect(result.output == output)
            #expect(result.code == code, "\(result.errors)")
            if let error {
                #expect(result.errors.contains(error))
                #expect(result.errors.hasPrefix("watch-value: "))
                #expect(result.errors.hasSuffix("\n"))
                #expect(result.errors.filter { $0 == "\n" }.count == 1)
            } else {
                #expect(result.errors == "")
            }
        }
    }
}
