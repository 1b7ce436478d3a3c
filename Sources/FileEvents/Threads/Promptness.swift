/// Whether the reader of events is to run as soon as it is woken, before whoever woke it. Pure.
///
/// A value that was renamed into place is there when the reader is woken, and what its writer does next is tidying up: on
/// one processor its viewers would wait for that. A process that writes beside the value, or into it, wakes the reader
/// several times before there is anything to read: to be run each time would hold up the very write. So the reader is
/// prompt after a run of wake-ups that each had something to tell, until one has not. What a process writes itself is
/// not news to it.
struct Promptness {
    /// The shortest that kernels give, in nanoseconds. It takes the reader a tenth of it to tell a change.
    static let slice: Int64 = 100_000
    private static let mostOfUse = 32

    private var ofUse = 0

    var isPrompt: Bool { ofUse >= Self.mostOfUse }

    /// `isOfUse`: something was to be told. True where ``isPrompt`` has changed.
    mutating func noteWakeUp(isOfUse: Bool) -> Bool {
        let wasPrompt = isPrompt
        ofUse = isOfUse ? min(ofUse + 1, Self.mostOfUse) : 0
        return isPrompt != wasPrompt
    }
}
