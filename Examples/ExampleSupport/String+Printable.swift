extension String {
    /// With a space for each control character: a terminal would do what they say.
    public var printable: String {
        String(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }
}
