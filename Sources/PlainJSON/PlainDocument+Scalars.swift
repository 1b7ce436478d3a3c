/// Values that are read without a type's `init(from:)`.
extension PlainDocument {
    func isNull(_ index: Int) -> Bool { nodes[index].kind == .null }

    func bool(_ index: Int) throws -> Bool {
        switch nodes[index].kind {
        case .true: true
        case .false: false
        default: throw mismatch(Bool.self, index)
        }
    }

    func string(_ index: Int) throws -> String {
        let node = nodes[index]
        guard node.kind == .string else { throw mismatch(String.self, index) }
        return String(decoding: bytes[node.text], as: UTF8.self)
    }

    func integer<T: FixedWidthInteger & Decodable>(_ index: Int) throws -> T {
        let node = nodes[index]
        if node.kind == .integer, let value = T(exactly: node.number) { return value }
        return try number(index)
    }

    func double(_ index: Int) throws -> Double {
        let node = nodes[index]
        switch node.kind {
        case .integer: return Double(node.number)
        case .decimal where node.number.magnitude <= 1 << 53:
            // Both operands are exact, so the quotient is the nearest Double.
            return Double(node.number) / Self.power(node.scale)
        case .decimal, .long:
            let value = Double(String(decoding: bytes[node.text], as: UTF8.self))
            guard let value, value.isFinite, value != 0 else { return try number(index) }
            return value
        default: return try number(index)
        }
    }

    func float(_ index: Int) throws -> Float {
        let node = nodes[index]
        let isExact = node.number.magnitude <= 1 << 24
        switch node.kind {
        case .integer where isExact: return Float(node.number)
        case .decimal where isExact && node.scale <= 10: return Float(node.number) / Float(Self.power(node.scale))
        default: return try number(index)
        }
    }

    private func number<T: Decodable>(_ index: Int) throws -> T {
        guard nodes[index].kind.isNumber else { throw mismatch(T.self, index) }
        return try leaveToJSONDecoder(index)
    }

    /// A power of ten: exact up to 10^22, and scales go up to 18.
    private static func power(_ exponent: UInt8) -> Double {
        var power = 1.0
        for _ in 0..<exponent { power *= 10 }
        return power
    }
}
