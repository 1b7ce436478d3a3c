import Synchronization
import SystemCalls

/// The names of this process's temporary files for one value: nobody else ever uses them, and one writer at a time each.
///
/// It is always the first name that is taken, unless a file has stayed under it, or two threads take themselves for the
/// holder of the lock, because somebody has removed it from under one of them: then neither may publish what the other one
/// is still writing.
final class TemporaryNames: Sendable {
    private let start: String
    private let first: String
    /// Numbers of names that are taken. Guarded by its own lock.
    private let used = Guarded<Set<Int>>([])

    init(for name: String) {
        let random = String(UInt64.random(in: .min ... .max), radix: 36)
        // The lock file names it in one line; any file that is opened by its path may have two.
        let line = String(String.UnicodeScalarView(name.unicodeScalars.map { $0 == "\n" ? " " : $0 }))
        start = "\(line).\(CurrentProcess.identifier)-\(random)"
        first = start + ControlName.temporarySuffix
    }

    func take() -> TemporaryName {
        let number = used.withLock { used in
            var number = 0
            while !used.insert(number).inserted { number += 1 }
            return number
        }
        return TemporaryName(number == 0 ? first : "\(start)-\(number)\(ControlName.temporarySuffix)", number, of: self)
    }

    fileprivate func giveBack(_ number: Int) {
        used.withLock { _ = $0.remove(number) }
    }
}

/// One of them, taken until it is released; for ever where it is retired.
final class TemporaryName: Sendable {
    let text: String
    private let number: Int
    private let names: TemporaryNames
    private let retired = Atomic(false)

    fileprivate init(_ text: String, _ number: Int, of names: TemporaryNames) {
        self.text = text
        self.number = number
        self.names = names
    }

    /// A file stays that bears it, and that may be a user's: it must not be taken for the next one's own.
    func retire() { retired.store(true, ordering: .relaxed) }
    var isRetired: Bool { retired.load(ordering: .relaxed) }

    deinit {
        // Another thread may have been at it when the process was forked.
        if isRetired || CurrentProcess.isForked { return }
        names.giveBack(number)
    }
}
