extension String {
    /// With spaces up to so many characters, for a column; a longer text stays as it is.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
