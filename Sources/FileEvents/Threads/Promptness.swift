/// Whether the reader of events is to run as soon as it is woken, ahead of the thread that woke it. Pure.
///
/// When a value is renamed into place, it is complete as the reader wakes, and its writer only tidies up: on one
/// processor the observers would wait for that. A process that writes beside the value, or into it, wakes the reader
/// several times before there is anything to read: running at once each time would hold up that very write. So the
/// reader is prompt after a run of wake-ups that each had something to report, until one has nothing to report. A
/// process's own writes are not news to it.
struct Promptness {
    /// The shortest time slice that kernels allow, in nanoseconds. The reader takes a tenth of it to report a change.
    static let slice: Int64 = 100_000
    private static let mostOfUse = 32

    private var ofUse = 0

    var isPrompt: Bool { ofUse >= Self.mostOfUse }

    /// `isOfUse`: there was something to report. True if ``isPrompt`` has changed.
    mutating func noteWakeUp(isOfUse: Bool) -> Bool {
        let wasPrompt = isPrompt
        ofUse = isOfUse ? min(ofUse + 1, Self.mostOfUse) : 0
        return isPrompt != wasPrompt
    }
}
