extension String {
    /// As one word of a command that somebody may copy into a shell.
    package var quotedForShell: String {
        var word = "'"
        // By scalars: an apostrophe and a combining mark after it are one character.
        for scalar in unicodeScalars {
            if scalar == "'" { word += "'\\''" } else { word.unicodeScalars.append(scalar) }
        }
        return word + "'"
    }
}
