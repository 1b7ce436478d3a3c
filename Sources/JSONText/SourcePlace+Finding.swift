extension SourcePlace {
    /// The place of the value at `path` in JSON text, or of the deepest part of it that is there.
    ///
    /// Reads the text again rather than have every value carry its place. Nil where the text does not begin with a value.
    package init?(of path: JSONPath, in bytes: [UInt8]) {
        self.init(of: path.steps.map(JSONPlaceFinder.Target.init), in: bytes)
    }

    /// The place that the coding path of a decoding error names in the text that was decoded, or of the deepest part of
    /// it that is there.
    ///
    /// What a key means is decided by what is there: a key in an object, an index in an array.
    package init?(of codingPath: [any CodingKey], in bytes: [UInt8]) {
        self.init(of: codingPath.map(JSONPlaceFinder.Target.init), in: bytes)
    }

    private init?(of targets: [JSONPlaceFinder.Target], in bytes: [UInt8]) {
        var finder = JSONPlaceFinder(bytes)
        finder.find(targets)
        guard let offset = finder.offset else { return nil }
        self.init(byteOffset: offset, in: bytes)
    }
}

/// Walks through JSON text to a value. As the reader: without recursion, and only as far as it must.
private struct JSONPlaceFinder {
    /// A step that is a key where it meets an object and an index where it meets an array.
    struct Target {
        let key: String?
        let index: Int?

        init(_ step: JSONPath.Step) {
            switch step {
            case .key(let key): (self.key, index) = (key, nil)
            case .index(let index): (key, self.index) = (nil, index)
            }
        }

        init(_ key: any CodingKey) {
            self.key = key.stringValue
            index = key.intValue
        }
    }

    private var reader: JSONReader
    /// Where the deepest value begins that was found.
    private(set) var offset: Int?

    init(_ bytes: [UInt8]) {
        reader = JSONReader(bytes)
    }

    mutating func find(_ targets: [Target]) {
        do throws(JSONTextError) {
            var value = try reader.next()
            offset = reader.eventOffset
            for target in targets {
                guard let next = try enter(value, target) else { return }
                value = next
                offset = reader.eventOffset
            }
        } catch {
            // The text ends being JSON before the value; what was found until here is the answer.
        }
    }

    /// Reads on to the start of the value that `target` is in the container whose start was just read.
    private mutating func enter(
        _ start: JSONReader.Event?,
        _ target: Target
    ) throws(JSONTextError) -> JSONReader.Event? {
        switch (start, target.key, target.index) {
        case (.startObject, let key?, _):
            while case .key(let found) = try reader.next() {
                if found.hasSameScalars(as: key) { return try reader.next() }
                try reader.skipValue()
            }
        case (.startArray, _, let index?):
            let offset = try index < 0 ? elementCount() + index : index
            guard offset >= 0 else { return nil }
            for _ in 0..<offset where try !skipElement() { return nil }
            let event = try reader.next()
            return event == .endArray ? nil : event
        default: break
        }
        return nil
    }

    /// How many elements the array has whose start was just read.
    private func elementCount() throws(JSONTextError) -> Int {
        var ahead = self
        var count = 0
        while try ahead.skipElement() { count += 1 }
        return count
    }

    /// Reads over an element; false if the array ends instead.
    private mutating func skipElement() throws(JSONTextError) -> Bool {
        let depth = reader.depth
        guard try reader.next() != .endArray else { return false }
        while reader.depth > depth { _ = try reader.next() }
        return true
    }
}
