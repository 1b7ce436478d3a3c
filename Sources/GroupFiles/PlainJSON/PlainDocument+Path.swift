/// Where a value is. Its keys are not the type's own.
extension PlainDocument {
    func codingPath(_ index: Int) -> [any CodingKey] {
        note(.content)
        var path: [any CodingKey] = []
        var container = 0
        while container < index {
            let isObject = nodes[container].kind == .object
            var (place, child) = (0, container + 1)
            while true {
                let value = isObject ? child + 1 : child
                if index < Int(nodes[value].next) {
                    let key: any CodingKey = isObject ? AnyKey(name(child)) : PlainIndex(place)
                    path.append(key)
                    container = value
                    break
                }
                (place, child) = (place + 1, Int(nodes[value].next))
            }
        }
        return path
    }

    func name(_ key: Int) -> String {
        String(decoding: bytes[nodes[key].text], as: UTF8.self)
    }

    /// The names of an object's members, each once.
    func names(_ object: Int) -> [String] {
        let node = nodes[object]
        var names: [String] = []
        names.reserveCapacity(node.count)
        var key = object + 1
        while key < Int(node.next) {
            let name = name(key)
            if node.isAscending || !names.contains(name) { names.append(name) }
            key = Int(nodes[key + 1].next)
        }
        return names
    }
}

/// Where an element of an array is.
struct PlainIndex: CodingKey {
    private let index: Int

    var stringValue: String { "Index \(index)" }
    var intValue: Int? { index }

    init(_ index: Int) {
        self.index = index
    }

    init?(intValue: Int) {
        self.init(intValue)
    }

    init?(stringValue: String) { nil }
}
