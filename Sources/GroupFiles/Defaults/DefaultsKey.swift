import SystemCalls

/// Keys of ``GroupDefaults`` as names of files, and back.
///
/// Most are used as they are: `luckyNumber`, `bg.png`. The bytes of `/`, `%`, control characters and a leading dot are
/// written as `%2F` and so on; the empty key is `%`. Two keys never share a name.
enum DefaultsKey {
    private static let escape = UInt8(ascii: "%")

    /// - Throws: `.invalidName` if the name would be too long.
    static func name(of key: String) throws(GroupFileError) -> String {
        let name = encoded(key)
        if name.utf8.count > ValueName.longest {
            throw GroupFileError(
                .invalidName,
                "the key \"\(ValueName.printable(key))\" takes \(name.utf8.count) bytes as a file name, and "
                    + "\(ValueName.longest) are allowed: use a shorter key")
        }
        return name
    }

    /// The key that has this name; nil if no key has it.
    static func key(of name: String) -> String? {
        if name == "%" { return "" }
        var bytes: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.popFirst() {
            if byte != escape {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        guard let key = String(validating: bytes, as: UTF8.self) else { return nil }
        // Only if the key is encoded in just this way, so that a foreign file's name is never a second name of a key.
        return ExactName(encoded(key)) == ExactName(name) ? key : nil
    }

    private static func encoded(_ key: String) -> String {
        if key.isEmpty { return "%" }
        var name = ""
        for scalar in key.unicodeScalars {
            let isLeadingDot = scalar == "." && name.isEmpty
            if !scalar.isControl, !isLeadingDot, scalar != "/", scalar != "%" {
                name.unicodeScalars.append(scalar)
                continue
            }
            for byte in scalar.utf8 {
                let digits = String(byte, radix: 16, uppercase: true)
                name += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return name
    }
}
