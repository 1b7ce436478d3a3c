import Dispatch
import Observables
import SystemCalls
import TestSupport
import Testing

@Suite(.endsInTime) struct ReaderTests {
    @Test func currentElementFirstThenTheNewestOnce() async {
        let channel = Channel(1)
        var reader = channel.makeReader()
        #expect(await reader.next() == 1)
        channel.publish(2).run()
        channel.publish(3).run()
        #expect(await reader.next() == 3)
        var late = channel.makeReaderOfChanges()
        channel.publish(4).run()
        #expect(await late.next() == 4)
        #expect(await reader.next() == 4)
        #expect(channel.waiterCount == 0)
    }

    @Test func endsWhenTheTaskIsCancelled() async {
        for round in 0..<5_000 {
            let channel = Channel(0)
            let reading = Task {
                var reader = channel.makeReader()
                while await reader.next() != nil {}
                return await reader.next() == nil
            }
            // Over the rounds, the cancellation comes at every moment of the reader's way into its wait. Nothing is
            // published, so nothing else would wake it.
            DispatchQueue.global().async {
                for _ in 0..<(round % 50) { HandlerScope.run {} }
                reading.cancel()
            }
            #expect(await reading.value)
            #expect(channel.waiterCount == 0)
        }
    }

    /// Not even a handler that was subscribed before the reader waited.
    @Test func aHandlerThatBlocksHoldsUpNoReader() async {
        let channel = Channel(0)
        let goOn = Gate()
        let subscription = channel.subscribe(.caller, initially: false) { _ in goOn.wait() }
        let read = Log<Int?>()
        let reading = Task {
            var reader = channel.makeReaderOfChanges()
            read.append(await reader.next())
        }
        while channel.waiterCount == 0 { await Task.yield() }
        let publisher = DispatchQueue(label: "test.publisher")
        publisher.async { channel.publish(1).run() }
        #expect(await read.reach { $0 == [1] })
        goOn.open()
        publisher.sync {}
        await reading.value
        subscription.cancel()
    }

    @Test func aTaskCancelledBeforeItWaitsDoesNotWait() async {
        let channel = Channel(0)
        let reading = Task {
            while !Task.isCancelled { await Task.yield() }
            var reader = channel.makeReaderOfChanges()
            return await reader.next()
        }
        reading.cancel()
        #expect(await reading.value == nil)
    }

    @Test func aCancelledTaskGetsNothingMore() async {
        let channel = Channel(0)
        let reading = Task {
            var reader = channel.makeReader()
            while await reader.next() != nil {}
            return await reader.next()
        }
        while channel.waiterCount == 0 { await Task.yield() }
        reading.cancel()
        channel.publish(1).run()
        #expect(await reading.value == nil)
    }

    @Test func runningTwiceResumesOnce() async {
        let channel = Channel(0)
        let reading = Task {
            var reader = channel.makeReaderOfChanges()
            return await reader.next()
        }
        while channel.waiterCount == 0 { await Task.yield() }
        let ready = channel.publish(1)
        ready.run()
        ready.run()
        #expect(await reading.value == 1)
    }

    @Test func severalReadersEachReachTheLastElement() async {
        let channel = Channel(0)
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    var reader = channel.makeReader()
                    var last = -1
                    while last < 100, let element = await reader.next() { last = element }
                    return last
                }
            }
            for element in 1...100 {
                channel.publish(element).run()
                await Task.yield()
            }
            for await last in group { #expect(last == 100) }
        }
        #expect(channel.waiterCount == 0)
    }
}
