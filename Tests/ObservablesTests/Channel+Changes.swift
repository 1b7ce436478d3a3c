import SystemCalls

@testable import Observables

extension Channel {
    /// A reader that has already seen the current element.
    func makeReaderOfChanges() -> ChannelReader<Element> {
        ChannelReader(PayloadReader(core, seen: core.state.withLock { $0.version }), Self.open)
    }
}
