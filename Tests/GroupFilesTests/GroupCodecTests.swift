import PlainJSON
import Testing

@testable import GroupFiles

struct GroupCodecTests {
    struct Lamp: Codable, Sendable {
        var isOn: Bool
    }

    /// A caller's closure configures Foundation's encoder or decoder, so such a codec has to use these.
    @Test func onlyWhatIsConfiguredHasNoPlainWay() throws {
        let bytes = Array(#"{"isOn":true}"#.utf8)
        #expect(try GroupCodec<Lamp>.json.plain?.decode(bytes).isOn == true)
        #expect(GroupCodec<Lamp>.json(encoder: { _ in }).plain == nil)
        #expect(GroupCodec<Lamp>.json(decoder: { _ in }).plain == nil)
    }
}
