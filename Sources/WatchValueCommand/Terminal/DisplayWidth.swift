/// How many columns text takes on a terminal.
enum DisplayWidth {
    static func of(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        let isMark =
            switch first.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format, .control: true
            default: false
            }
        if isMark { return 0 }
        if first.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        return isWide(first.value) ? 2 : 1
    }

    static func of(_ text: String) -> Int {
        text.reduce(0) { $0 + of($1) }
    }

    /// `text` in exactly `width` columns, cut with … if it is longer.
    static func fitted(_ text: String, _ width: Int) -> String {
        fitted(text, of: of(text), width, isCut: true)
    }

    /// The same if it is known that `text` takes `length` columns; without `isCut` a longer text stays whole.
    static func fitted(_ text: String, of length: Int, _ width: Int, isCut: Bool) -> String {
        if length <= width { return text + String(repeating: " ", count: width - length) }
        if !isCut { return text }
        if width < 1 { return "" }
        var kept = ""
        var used = 0
        for character in text {
            let next = of(character)
            if used + next > width - 1 { break }
            kept.append(character)
            used += next
        }
        return kept + "…" + String(repeating: " ", count: width - 1 - used)
    }

    /// East Asian wide: Hangul, Kana, CJK, fullwidth forms.
    private static func isWide(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
