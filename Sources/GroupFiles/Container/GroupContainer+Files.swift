import FoundationEssentials
import JSONText

extension GroupContainer {
    /// The names of the values: the current ones, then each change. Each access creates a separate observable.
    public var names: ContainerNames { ContainerNames(store) }

    /// Opens a value as ``GroupFile``'s initialiser does, and creates it with `initialValue` if there is none. Pass
    /// `type` where it cannot be inferred.
    ///
    /// - Throws: `.invalidName`, or why the value cannot be created.
    public func file<T: Codable & Sendable>(
        named name: String, as type: T.Type = T.self, initialValue: T, access: Access = .readWrite,
        codec: GroupCodec<T> = .json, durability: Durability = .consistent, maximumSize: Int = 16 << 20,
        lockTimeout: Duration? = nil
    ) throws(GroupFileError) -> GroupFile<T> {
        try GroupFile(
            name, in: self, initialValue: initialValue, access: access, codec: codec, durability: durability,
            maximumSize: maximumSize, lockTimeout: lockTimeout)
    }

    /// Opens a value that may not exist, without creating it; `nil` means missing, or `null` in JSON. To delete it call
    /// `remove()`; `nil` cannot be written.
    ///
    /// - Throws: `.invalidName`.
    public func file<T: Codable & Sendable>(
        named name: String, as type: T.Type = T.self, access: Access = .readWrite, codec: GroupCodec<T> = .json,
        durability: Durability = .consistent, maximumSize: Int = 16 << 20, lockTimeout: Duration? = nil
    ) throws(GroupFileError) -> GroupFile<T?> {
        let options = GroupFileOptions(
            access: access, durability: durability, maximumSize: maximumSize, lockTimeout: lockTimeout)
        return try GroupFile(
            name, in: self, initialValue: nil, codec: codec.optional, options: options, creates: false)
    }

    /// Removes a value, whatever it holds. Does nothing if there is none. Waits for the value's lock for as long as
    /// others hold it; `GroupFile.remove()` of a value with a `lockTimeout` waits no longer than that.
    ///
    /// - Throws: `.invalidName`, `.readOnly`, `.notRegularFile`, `.nested` within an update of it, or why it cannot be
    ///   removed.
    public func removeFile(named name: String) throws(GroupFileError) {
        // The size is 0 because what is removed need not be read.
        let options = GroupFileOptions(maximumSize: 0)
        try GroupFile(name, in: self, initialValue: Data(), codec: .data, options: options, creates: false).remove()
    }
}

extension GroupCodec {
    /// For values that may be missing: nil stands for no file, and is never written; a `null` that others wrote reads
    /// as nil, too.
    var optional: GroupCodec<Value?> {
        GroupCodec<Value?>(
            keyNames: keyNames, isLenient: isLenient,
            encode: { [encode] value in
                guard let value else { throw NilIsMissing() }
                return try encode(value)
            },
            decode: { [isJSON = keyNames != nil, decode] data in
                if isJSON, data.isNullInJSON { return nil }
                return try decode(data)
            }, upgrade: upgrade?.optional)
    }
}

extension Data {
    fileprivate var isNullInJSON: Bool {
        // Any other JSON begins with another character, and need not be parsed for this. White space, and a byte order
        // mark, may come before it.
        guard first(where: { $0 > UInt8(ascii: " ") && $0 < 0x80 }) == UInt8(ascii: "n") else { return false }
        do throws(JSONTextError) {
            return if case .null = try JSONValue(parsing: Array(self)) { true } else { false }
        } catch {
            return false
        }
    }
}

/// Thrown when nil is to be written.
struct NilIsMissing: Error, CustomStringConvertible {
    var description: String { "nil stands for a missing value" }
}
