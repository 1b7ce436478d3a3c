/// A value of a document, or the key of a member. The contents of an array or an object follow it, each key before its
/// value.
struct PlainNode {
    enum Kind: UInt8 {
        case null, `false`, `true`, string, array, object
        /// A whole number whose magnitude fits an Int64.
        case integer
        /// A decimal fraction of up to 18 digits.
        case decimal
        /// A number with more digits.
        case long

        var isNumber: Bool {
            switch self {
            case .integer, .decimal, .long: true
            default: false
            }
        }
    }

    let kind: Kind
    /// How many digits are behind the decimal point.
    var scale: UInt8 = 0
    /// Whether an object's keys are in ascending order, so that no two are equal.
    var isAscending = false
    /// Where its text begins and ends; that of a string is between its quotes.
    let start: UInt32
    var end: UInt32
    /// The node that follows this one and all that is in it.
    var next: UInt32
    /// A number's digits as one integer, with its sign; for a container, how many elements or members it has.
    var number: Int64 = 0

    var text: Range<Int> { Int(start)..<Int(end) }
    var count: Int { Int(number) }
}
