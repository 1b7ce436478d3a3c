import FoundationEssentials

/// Encoders and decoders are configured once, and then used by all threads.
enum JSONCoders {
    private static let plainEncoder = makeEncoder(nil)
    private static let plainDecoder = JSONDecoder()

    static func encoder(_ configure: ((JSONEncoder) -> Void)?) -> JSONEncoder {
        configure == nil ? plainEncoder : makeEncoder(configure)
    }

    static func decoder(_ configure: ((JSONDecoder) -> Void)?) -> JSONDecoder {
        guard let configure else { return plainDecoder }
        let decoder = JSONDecoder()
        configure(decoder)
        return decoder
    }

    private static func makeEncoder(_ configure: ((JSONEncoder) -> Void)?) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        configure?(encoder)
        encoder.outputFormatting.insert(.sortedKeys)
        return encoder
    }
}
