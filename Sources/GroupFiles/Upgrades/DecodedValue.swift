final class DecodedValue<Value> {
    let value: Value
    let requested: RequestedKeys

    init(_ value: Value, _ requested: RequestedKeys) {
        self.value = value
        self.requested = requested
    }
}
