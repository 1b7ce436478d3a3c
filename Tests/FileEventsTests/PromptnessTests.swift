import Testing

@testable import FileEvents

struct PromptnessTests {
    @Test func theReaderIsPromptAfterARunOfWakeUpsThatWereOfUse() {
        var promptness = Promptness()
        for _ in 0..<3 {
            var count = 0
            while !promptness.noteWakeUp(isOfUse: true) {
                count += 1
                #expect(!promptness.isPrompt)
                if count > 1000 { break }
            }
            #expect(count == 31)
            for _ in 0..<100 {
                let hasChanged = promptness.noteWakeUp(isOfUse: true)
                #expect(!hasChanged)
                #expect(promptness.isPrompt)
            }
            for isFirst in [true, false] {
                let hasChanged = promptness.noteWakeUp(isOfUse: false)
                #expect(hasChanged == isFirst)
                #expect(!promptness.isPrompt)
            }
        }
    }

    /// A foreign writer's save: the temporary file changes, is closed, and is renamed. Only the last of the three
    /// wake-ups is of use.
    @Test func whoIsWokenInVainNowAndThenIsNot() {
        var promptness = Promptness()
        for _ in 0..<100 {
            for isOfUse in [false, false, true] {
                let hasChanged = promptness.noteWakeUp(isOfUse: isOfUse)
                #expect(!hasChanged)
            }
        }
        #expect(!promptness.isPrompt)
    }
}
