/// A value that was decoded, with the keys that its type requested. A class, so that ``FillingState`` can keep it without
/// knowing its type.
final class DecodedValue<Value> {
    let value: Value
    let requested: RequestedKeys

    init(_ value: Value, _ requested: RequestedKeys) {
        self.value = value
        self.requested = requested
    }
}
