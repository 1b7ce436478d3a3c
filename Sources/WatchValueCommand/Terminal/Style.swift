import SystemCalls

/// Colours, where they are wanted.
struct Style: Sendable {
    enum Color: String, Sendable {
        case red = "31"
        case green = "32"
        case bold = "1"
        case dim = "2"
    }

    let isColored: Bool

    /// `--color` decides; else a terminal has colours, unless NO_COLOR is set or it is a dumb one.
    init(_ arguments: Arguments) {
        switch arguments[.color] {
        case "always": isColored = true
        case "never": isColored = false
        default:
            isColored = StandardStream.output.isScreen && CurrentProcess.environmentBytes("NO_COLOR") == nil
        }
    }

    func paint(_ text: String, _ color: Color) -> String {
        isColored ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }
}
