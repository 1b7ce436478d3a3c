/// A value of a document, or the key of a member. What is in an array or an object follows it, each key before its value.
struct PlainNode {
    enum Kind: UInt8 {
        case null, `false`, `true`, string, array, object
        /// A whole number that fits 64 bits, and its sign.
        case integer
        /// A decimal fraction of up to 18 digits.
        case decimal
        /// A number that does not.
        case long

        var isNumber: Bool {
            switch self {
            case .integer, .decimal, .long: true
            default: false
            }
        }
    }

    let kind: Kind
    /// The digits behind a decimal's point.
    var scale: UInt8 = 0
    /// Whether an object's keys ascend, so that there are no two alike.
    var isAscending = false
    /// Where its text is; a string's is between its quotes.
    let start: UInt32
    var end: UInt32
    /// The node after it and all that is in it.
    var next: UInt32
    /// A number's digits as one number; how many elements or members there are.
    var number: Int64 = 0

    var text: Range<Int> { Int(start)..<Int(end) }
    var count: Int { Int(number) }
}
