import Foundation
import GroupFiles
import Testing

/// What programs and their tests do with errors, states and changes.
struct GroupFileErrorTests {
    @Test func howeverItIsLoggedItIsTheSentence() throws {
        let file = try GroupFile("v", in: .inMemory(), initialValue: 0, access: .readOnly)
        let error = try #require(throws: GroupFileError.self) { try file.write(1) }
        #expect(error.description.contains(error.message))
        #expect(error.localizedDescription == error.description)
        #expect((error as NSError).localizedDescription == error.description)
        #expect("\(TimedOut(timeout: .seconds(5)))".contains("within 5.0 seconds"))
    }

    private struct FullDisk {
        func write(_ value: Int) throws(GroupFileError) {
            throw GroupFileError(.noSpace, path: "/v", message: "make room")
        }
    }

    @Test func doublesOfOnesOwnSpeakTheTypes() throws {
        let error = try #require(throws: GroupFileError.self) { try FullDisk().write(1) }
        #expect(error.code == .noSpace)
        #expect(error.message == "make room")
        #expect(error.description == "/v: make room")
        let state = GroupFileState(value: 1, status: .invalid(error), health: .live)
        #expect(state == GroupFileState(value: 1, status: .invalid(error), health: .live))
        #expect(
            GroupFileChange(old: 1, new: 2, isOwn: true) != GroupFileChange(old: 1, new: 2, isOwn: false))
    }
}
