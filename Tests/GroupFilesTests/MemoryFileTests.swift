import Testing

@testable import GroupFiles

/// A value in memory.
struct MemoryFileTests {
    /// As beside a file: ten, equal ones once, and then the oldest goes.
    @Test func G12_tenAreKeptInMemory() {
        let file = MemoryFile(path: "v") {}
        for number in 0..<12 as Range<UInt8> {
            file.keep([number])
            file.keep([number])
        }
        // Equal to one in the middle.
        file.keep([7])
        #expect(file.rejected == (2..<12).map { [$0] })
    }
}
