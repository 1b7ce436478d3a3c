import GroupFiles
import SystemCalls

/// `remove`: takes the value away.
enum RemoveCommand {
    static func run(_ arguments: Arguments) throws(Failure) {
        let lockTimeout = try arguments.timeout()
        let location = try Location(arguments.operands[0], arguments)
        // The name, and whether there is anything, first: to lock makes the container.
        let reading = try location.openForReading(notifies: false)
        if reading.status == .missing {
            throw Failure(.noSuchValue, "there is no such value; it would be \(location.path)", about: location.name)
        }
        let interruptible = try Interruptible()
        let file = try location.openForWriting(durability: .consistent, lockTimeout: lockTimeout)
        try HeldLocks.check(file, about: location.name)
        try interruptible.run { () async throws(Failure) in
            do {
                try await file.remove()
            } catch let error as GroupFileError {
                throw Failure(error, about: location.name)
            } catch {
                throw .signalled(.interrupt)  // Cancelled: the caller knows by which signal.
            }
        }
    }
}
