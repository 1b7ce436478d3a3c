@testable import JSONText

extension JSONPath {
    /// The same path, with keys like those of JSONDecoder.
    var codingPath: [any CodingKey] {
        steps.map { step in
            switch step {
            case .key(let key): Key(stringValue: key)
            case .index(let index): Key(intValue: index)
            }
        }
    }
}

private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }
}
