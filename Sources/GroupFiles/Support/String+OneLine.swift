extension String {
    /// The string with its control characters, which names and contents may contain, shown instead of obeyed: a
    /// terminal may take one for a command, and a program that reads lines may take another for the end of one.
    /// Characters that make the rest of the line appear in another order are shown, too.
    package var oneLine: String {
        var line = ""
        for scalar in unicodeScalars {
            line +=
                scalar.isControl || scalar.endsLine || scalar.reordersLine
                ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return line
    }
}

extension Unicode.Scalar {
    /// U+0080 … U+009F, too: some terminals obey them.
    var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

    fileprivate var endsLine: Bool { value == 0x2028 || value == 0x2029 }

    /// Embeddings, overrides and isolates of the bidirectional algorithm.
    fileprivate var reordersLine: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }
}
