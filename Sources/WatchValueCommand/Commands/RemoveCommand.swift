import GroupFiles

/// `remove`: removes the value.
enum RemoveCommand {
    static func run(_ arguments: Arguments) throws(Failure) {
        let lockTimeout = try arguments.timeout()
        let location = try Location(arguments.operands[0], arguments)
        let heldLocks = try HeldLocks()
        // Checks the name, and whether there is a value, first: opening it for writing makes the container.
        let reading = try location.openForReading(notifies: false)
        if reading.status == .missing { throw .noSuchValue(location) }
        let interruptible = try Interruptible()
        let file = try interruptible.look { () throws(Failure) in
            try location.openForWriting(durability: .consistent, lockTimeout: lockTimeout, checking: heldLocks)
        }
        try interruptible.change(location) { try await file.remove() }
    }
}
