import SystemCalls

/// The names of this process's temporary files for one value: no other process ever uses them, and each has one writer
/// at a time.
///
/// The first name is used each time, unless a file has remained under it, or two threads both believe that they hold
/// the lock, because somebody removed the lock's file from under one of them: then neither may publish what the other
/// one is still writing.
struct TemporaryNames {
    private let start: String
    private let first: String
    private var isFirstTaken = false
    /// Numbers of other names that are taken.
    private var others: Set<Int> = []

    init(for name: String) {
        let random = String(UInt64.random(in: .min ... .max), radix: 36)
        // The lock file stores the name in one line; the name of a file that is opened by its path may contain a
        // newline.
        let line = String(String.UnicodeScalarView(name.unicodeScalars.map { $0 == "\n" ? " " : $0 }))
        start = "\(line).\(CurrentProcess.identifier)-\(random)"
        first = start + ControlName.temporarySuffix
    }

    mutating func take() -> (text: String, number: Int) {
        if !isFirstTaken {
            isFirstTaken = true
            return (first, 0)
        }
        var number = 1
        while !others.insert(number).inserted { number += 1 }
        return ("\(start)-\(number)\(ControlName.temporarySuffix)", number)
    }

    mutating func giveBack(_ number: Int) {
        if number == 0 { isFirstTaken = false } else { others.remove(number) }
    }
}
