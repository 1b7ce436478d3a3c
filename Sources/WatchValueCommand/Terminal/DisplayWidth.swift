/// How many columns text takes on a terminal.
enum DisplayWidth {
    /// A terminal advances by the width of each scalar, whatever readers take for one letter. Only an emoji takes two
    /// columns, however it is composed.
    static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        let isEmoji = first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}")
        if isEmoji, of(first) > 0 { return 2 }
        return scalars.reduce(0) { $0 + of($1) }
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: 0
        default: isJoiningJamo(scalar.value) ? 0 : isWide(scalar.value) ? 2 : 1
        }
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

    /// The vowels and final consonants of Hangul, which go into the syllable that a consonant has begun.
    private static func isJoiningJamo(_ scalar: UInt32) -> Bool { (0x1160...0x11FF).contains(scalar) }

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
