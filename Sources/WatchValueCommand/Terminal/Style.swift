import SystemCalls

/// Colours, where they are wanted.
struct Style: Sendable {
    /// What `--color` says.
    enum When: String, CaseIterable {
        /// On a terminal, unless NO_COLOR is set or it is a dumb one.
        case auto
        case always, never
    }

    /// The raw value is the parameter of SGR, the escape sequence that sets the attribute.
    enum Attribute: String, Sendable {
        case red = "31"
        case green = "32"
        case bold = "1"
        case dim = "2"
    }

    let isColored: Bool

    init(_ arguments: Arguments) {
        isColored =
            switch arguments.choice(.color) ?? When.auto {
            case .always: true
            case .never: false
            case .auto: StandardStream.output.isScreen && CurrentProcess.environmentBytes("NO_COLOR") == nil
            }
    }

    func paint(_ text: String, _ attribute: Attribute) -> String {
        isColored ? "\u{1B}[\(attribute.rawValue)m\(text)\u{1B}[0m" : text
    }
}
