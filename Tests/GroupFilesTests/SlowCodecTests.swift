import Dispatch
import Foundation
import GroupFiles
import TestSupport
import Testing

/// Codecs that take longer than other writers take to write the next value.
struct SlowCodecTests {
    /// G8: otherwise each value that is written meanwhile would take one of the library's threads, until none is left.
    @Test(arguments: Backend.allCases)
    func G8_aCodecThatBlocksTakesOneThread(backend: Backend) async throws {
        let bench = try backend.make()
        try bench.put("0", in: "v")
        let (begun, goOn) = (Log<String>(), DispatchSemaphore(value: 0))
        let codec = GroupCodec<String>(
            encode: { Data($0.utf8) },
            decode: { data in
                let text = String(decoding: data, as: UTF8.self)
                if text != "0" {
                    begun.append(text)
                    goOn.wait()
                }
                return text
            })
        let slow = try GroupFile("v", in: bench.container, initialValue: "", codec: codec)
        let quick = try GroupFile("v", in: bench.container, initialValue: Data(), codec: .data)
        let (toldSlow, toldQuick) = (Log<String>(), Log<String>())
        let subscriptions = [
            slow.sink { toldSlow.append($0) },
            quick.sink { toldQuick.append(String(decoding: $0, as: UTF8.self)) },
        ]
        defer { for subscription in subscriptions { subscription.cancel() } }
        for value in 1...9 {
            try bench.put("\(value)", in: "v")
            // Jobs begin in the order in which they were made, and the slow file's job was there first.
            #expect(await toldQuick.first { $0 == "\(value)" } != nil)
        }
        #expect(begun.elements.count == 1, "\(begun.elements)")
        for _ in 1...9 { goOn.signal() }
        // The newest value arrives all the same, and the values that it replaced do not.
        #expect(await toldSlow.first { $0 == "9" } != nil)
        #expect(begun.elements.count < 4, "\(begun.elements)")
    }
}
