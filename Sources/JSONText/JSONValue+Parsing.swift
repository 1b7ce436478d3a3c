extension JSONValue {
    /// Parses the one value of a JSON text: strictly by RFC 8259, in UTF-8 with or without a byte order mark.
    ///
    /// Nesting is limited to 512 levels, which bounds the stack that freeing a value takes. Parsing stops at the first
    /// place where the text is not JSON.
    package init(parsing bytes: [UInt8]) throws(JSONTextError) {
        try self.init(reading: JSONReader(bytes))
    }

    /// Parses the one value that a reader has left to read.
    init(reading reader: JSONReader) throws(JSONTextError) {
        var reader = reader
        var builder = JSONTreeBuilder()
        while let event = try reader.next() { builder.add(event) }
        self = builder.root
    }

    package init(parsing text: String) throws(JSONTextError) {
        try self.init(parsing: Array(text.utf8))
    }
}

/// Builds a tree from the events of a reader, which guarantees that they fit together.
private struct JSONTreeBuilder {
    /// A container whose end has not been read yet.
    private struct OpenContainer {
        var elements: [JSONValue] = []
        var members: [JSONObject.Member] = []
        /// The key whose value comes next; nil in an array.
        var key: String?
    }

    private(set) var root = JSONValue.null
    private var innermost = OpenContainer()
    private var outer: [OpenContainer] = []

    mutating func add(_ event: consuming JSONReader.Event) {
        switch event {
        case .startObject, .startArray:
            var container = OpenContainer()
            swap(&container, &innermost)
            outer.append(container)
        case .endObject: close(.object(JSONObject(innermost.members)))
        case .endArray: close(.array(innermost.elements))
        case .key(let key): innermost.key = key
        case .null: attach(.null)
        case .bool(let bool): attach(.bool(bool))
        case .number(let text): attach(.number(JSONNumber(scanned: text)))
        case .string(let string): attach(.string(string))
        }
    }

    private mutating func close(_ container: consuming JSONValue) {
        if let parent = outer.popLast() { innermost = parent }
        attach(container)
    }

    private mutating func attach(_ value: consuming JSONValue) {
        if outer.isEmpty {
            root = value
        } else if let key = innermost.key.take() {
            innermost.members.append(JSONObject.Member(key, value))
        } else {
            innermost.elements.append(value)
        }
    }
}
