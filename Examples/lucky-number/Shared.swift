import Foundation
import GroupFiles

/// What the app and the widget share; nothing else knows the names.
struct Shared {
    static let group = "group.example.lucky-number"
    /// The number's key in the defaults of the group. A key is a value of the group, too, and can be followed as one.
    static let key = "luckyNumber"

    /// The number as text, for programs that read files.
    let number: GroupFile<Int?>
    /// A picture's bytes, as they are.
    let background: GroupFile<Data?>

    /// Opens the values, whether they exist yet or not, and creates nothing.
    init(_ container: GroupContainer) throws(GroupFileError) {
        number = try container.file(named: "LuckyNumber.txt", codec: .text)
        background = try container.file(named: "bg.png", codec: .data, maximumSize: 64 << 20)
    }
}
