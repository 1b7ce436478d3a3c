extension String {
    /// Control characters, which names and contents may contain, are shown instead of obeyed: a terminal may take one
    /// for a command, and a program that reads lines may take another for the end of one.
    package var oneLine: String {
        var line = ""
        for scalar in unicodeScalars {
            line += scalar.isControl || scalar.endsLine ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return line
    }
}

extension Unicode.Scalar {
    /// U+0080 … U+009F, too: some terminals obey them.
    var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

    fileprivate var endsLine: Bool { value == 0x2028 || value == 0x2029 }
}
