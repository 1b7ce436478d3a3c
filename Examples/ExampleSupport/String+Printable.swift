extension String {
    /// With a space in place of each control character, which a terminal would obey.
    public var printable: String {
        String(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }
}
