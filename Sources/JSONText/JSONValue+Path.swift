extension JSONValue {
    /// The part at `path`; nil if a step finds nothing, or a value of another type.
    package subscript(_ path: JSONPath) -> JSONValue? {
        var part = self
        for step in path.steps {
            switch (step, part) {
            case (.key(let key), .object(let object)):
                guard let value = object[key] else { return nil }
                part = value
            case (.index(let index), .array(let elements)):
                let offset = index < 0 ? elements.count + index : index
                guard elements.indices.contains(offset) else { return nil }
                part = elements[offset]
            default: return nil
            }
        }
        return part
    }
}
