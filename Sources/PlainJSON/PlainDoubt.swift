/// Why what the plain way found is not surely what `JSONDecoder` or `JSONEncoder` would find, who are asked then.
enum PlainDoubt: UInt8 {
    /// It lies in this content, or this value; the next may well be plain.
    case content = 1
    /// It lies in the type: every value will raise it.
    case type = 2
}
