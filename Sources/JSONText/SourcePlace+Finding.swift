extension SourcePlace {
    /// The place of the value that the coding path of a decoding error names in the decoded text, or of the deepest
    /// value on that path that exists.
    ///
    /// What a key means depends on the container: a key in an object, an index in an array. Keys are compared as
    /// Strings, as JSONDecoder does, and not by their scalars. The text is read again, so that values need not store
    /// their places. Nil if the text does not begin with a value.
    ///
    /// - Parameter naming: Returns the names that the path may use for an object's keys; called with the keys and the
    ///   path to that object.
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

/// Walks through JSON text to a value: like the reader, without recursion, and only as far as it must.
private struct JSONPlaceFinder {
    private var reader: JSONReader
    /// Where the deepest value that was found begins.
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
            // The text stops being JSON before the value; the deepest value found so far is the answer.
        }
    }

    /// Reads on to the start of the value at `key` in the container whose start was just read; nil if there is none.
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
                if found == key.stringValue { return try reader.next() }
                keys.append(found)
                try reader.skipValue()
            }
            guard let member = names(keys).firstIndex(of: key.stringValue) else {
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
            for _ in 0..<index where try !reader.skipValue() { return nil }
            let event = try reader.next()
            return event == .endArray ? nil : event
        default: return nil
        }
    }
}
