/// How a value is opened, whatever its type is, and wherever it is stored.
package struct GroupFileOptions: Sendable {
    package var access: Access
    var durability: Durability
    /// In bytes.
    var maximumSize: Int
    /// How long a change waits for the lock; nil means for as long as it takes.
    var lockTimeout: Duration?

    package init(
        access: Access = .readWrite, durability: Durability = .consistent, maximumSize: Int = 16 << 20,
        lockTimeout: Duration? = nil
    ) {
        self.access = access
        self.durability = durability
        self.maximumSize = maximumSize
        self.lockTimeout = lockTimeout
    }
}
