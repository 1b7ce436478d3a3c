import SystemCalls

@testable import Observables

extension Channel {
    /// A reader that has seen what there is now.
    func makeReaderOfChanges() -> ChannelReader<Element> {
        ChannelReader(PayloadReader(core, seen: core.state.withLock { $0.version }), Self.open)
    }
}
