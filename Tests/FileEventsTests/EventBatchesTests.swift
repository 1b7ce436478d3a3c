import SystemCalls
import TestSupport
import Testing

@testable import FileEvents

struct EventBatchesTests {
    private final class Client: WatchClient {
        func process(_ events: [InotifyEvent], lostEvents: Bool) {}
    }

    /// With a search among all the others for each client, this would take long.
    @Test(.endsInTime) func eachOfManyClientsIsToldInOrder() {
        let clients = (0..<30_000).map { _ in Client() }
        let events = (1...3).map { InotifyEvent(watch: $0, mask: .modify, name: "f") }
        var batches = EventBatches()
        let time = processorTime {
            for client in clients { batches.append(events[0], for: client) }
            for client in clients.reversed() { batches.append(events[1], for: client) }
            for client in clients { batches.append(nil, for: client) }
            batches.append(events[2], for: clients[7])
        }
        #expect(time < .seconds(2))
        #expect(batches.all.count == clients.count)
        for (index, batch) in batches.all.enumerated() {
            #expect(batch.client === clients[index])
            #expect(batch.events == (index == 7 ? events : Array(events.prefix(2))))
        }
    }
}
