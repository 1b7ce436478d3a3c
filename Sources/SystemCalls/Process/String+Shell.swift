extension String {
    /// As one word of a command that somebody may copy into a shell.
    package var quotedForShell: String {
        var word = "'"
        // By scalars: a mark that follows an apostrophe makes one character of both.
        for scalar in unicodeScalars {
            if scalar == "'" { word += "'\\''" } else { word.unicodeScalars.append(scalar) }
        }
        return word + "'"
    }
}
