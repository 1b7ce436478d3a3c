extension SourcePlace {
    /// The place that the coding path of a decoding error names in the text that was decoded, or of the deepest part of
    /// it that is there.
    ///
    /// What a key means is decided by what is there: a key in an object, an index in an array. Reads the text again rather
    /// than have every value carry its place. Nil where the text does not begin with a value.
    ///
    /// - Parameter naming: What the path may call an object's keys; where that is, is the path until there.
    package init?(
        of codingPath: [any CodingKey], in bytes: [UInt8],
        naming: (_ keys: [String], _ codingPath: [any CodingKey]) -> [String] = { keys, _ in keys }
    ) {
        var finder = JSONPlaceFinder(bytes)
        finder.find(codingPath, naming)
        guard let offset = finder.offset else { return nil }
        self.init(byteOffset: offset, in: bytes)
    }
}

/// Walks through JSON text to a value. As the reader: without recursion, and only as far as it must.
private struct JSONPlaceFinder {
    private var reader: JSONReader
    /// Where the deepest value begins that was found.
    private(set) var offset: Int?

    init(_ bytes: [UInt8]) {
        reader = JSONReader(bytes)
    }

    mutating func find(_ codingPath: [any CodingKey], _ naming: ([String], [any CodingKey]) -> [String]) {
        do throws(JSONTextError) {
            var value = try reader.next()
            offset = reader.eventOffset
            for (depth, key) in codingPath.enumerated() {
                let next = try enter(value, key) { keys in naming(keys, Array(codingPath.prefix(depth))) }
                guard let next else { return }
                value = next
                offset = reader.eventOffset
            }
        } catch {
            // The text ends being JSON before the value; what was found until here is the answer.
        }
    }

    /// Reads on to the start of the value that `key` is in the container whose start was just read.
    private mutating func enter(
        _ start: JSONReader.Event?,
        _ key: any CodingKey,
        _ names: ([String]) -> [String]
    ) throws(JSONTextError) -> JSONReader.Event? {
        switch start {
        case .startObject:
            let first = reader
            var keys: [String] = []
            while case .key(let found) = try reader.next() {
                if found.hasSameScalars(as: key.stringValue) { return try reader.next() }
                keys.append(found)
                try reader.skipValue()
            }
            guard let member = names(keys).firstIndex(where: { $0.hasSameScalars(as: key.stringValue) }) else {
                return nil
            }
            reader = first
            for _ in 0..<member {
                _ = try reader.next()
                try reader.skipValue()
            }
            _ = try reader.next()
            return try reader.next()
        case .startArray:
            guard let index = key.intValue, index >= 0 else { return nil }
            for _ in 0..<index where try !skipElement() { return nil }
            let event = try reader.next()
            return event == .endArray ? nil : event
        default: return nil
        }
    }

    /// Reads over an element; false if the array ends instead.
    private mutating func skipElement() throws(JSONTextError) -> Bool {
        let depth = reader.depth
        guard try reader.next() != .endArray else { return false }
        while reader.depth > depth { _ = try reader.next() }
        return true
    }
}
