import Testing

@testable import WatchValueCommand

/// The table of `list --live`.
struct LiveTableTests {
    private func row(_ age: Duration?) -> LiveTable.Row {
        LiveTable.Row(name: "v", value: LiveTable.Cell("1", isBad: false), age: age, size: 2)
    }

    /// The table is drawn again when the text of the first of its ages changes.
    @Test(
        arguments: [
            ([.milliseconds(300)], .milliseconds(700)), ([.seconds(59)], .seconds(1)), ([.seconds(61)], .seconds(59)),
            ([.seconds(3600)], .seconds(3600)), ([.seconds(90_000)], .seconds(82_800)),
            ([.seconds(61), nil, .seconds(100)], .seconds(20)), ([nil], nil), ([], nil),
            ([.milliseconds(-5300)], .milliseconds(6300)), ([.milliseconds(-300)], .milliseconds(1300)),
        ] as [([Duration?], Duration?)])
    func agesMoveOn(_ ages: [Duration?], _ next: Duration?) {
        #expect(LiveTable(title: "", rows: ages.map(row)).nextChange(nil) == next)
    }

    /// With thousands of values there is always one whose age is about to change its text.
    @Test(arguments: [(3, nil), (4, .seconds(20)), (5, .seconds(1))] as [(Int, Duration?)])
    func agesThatAreNotShownDoNotCount(_ rows: Int, _ next: Duration?) {
        let table = LiveTable(title: "", rows: [.seconds(100), .seconds(61), .seconds(119)].map(row))
        #expect(table.nextChange((80, rows)) == next)
    }

    /// The number of columns by which terminals advance.
    @Test(arguments: [
        ("a", 1), ("e\u{301}", 1), ("漢", 2), ("น้ำ", 2), ("क्षि", 3), ("நி", 2), ("\u{1100}\u{1161}\u{11A8}", 2), ("👍🏽", 2),
        ("🇩🇪", 2), ("👨‍👩‍👧", 2), ("❤\u{FE0F}", 2), ("\u{FE0F}", 0), ("\u{200B}", 0),
    ])
    func widths(_ text: String, _ columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }
}
