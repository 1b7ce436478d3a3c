import Synchronization
import SystemCalls

/// The names of this process's temporary files for one value: no other process ever uses them, and each has one writer
/// at a time.
///
/// The first name is always taken, unless a file has remained under it, or two threads both believe that they hold the
/// lock, because somebody removed its file from under one of them: then neither may publish what the other one is still
/// writing.
final class TemporaryNames: Sendable {
    private let start: String
    private let first: String
    /// Numbers of names that are taken. Guarded by its own lock.
    private let used = Guarded<Set<Int>>([])

    init(for name: String) {
        let random = String(UInt64.random(in: .min ... .max), radix: 36)
        // The lock file stores the name in one line; the name of a file that is opened by its path may contain a
        // newline.
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

/// One of them, taken until it is released; for ever if it is retired.
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

    /// A file with this name remains, and may be a user's: the next writer must not take it for its own.
    func retire() { retired.store(true, ordering: .relaxed) }
    private var isRetired: Bool { retired.load(ordering: .relaxed) }

    deinit {
        // Another thread may have held the mutex of `names` when the process was forked.
        if isRetired || CurrentProcess.isForked { return }
        names.giveBack(number)
    }
}
