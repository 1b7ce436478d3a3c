import Dispatch
import FileEvents
import Glibc
import GroupFiles
import SystemCalls

extension Probe {
    /// Waits until the library's thread rests: what Swift's runtime does there for the first time, it does under locks of its
    /// own, which a child that is forked meanwhile finds locked for ever.
    static func awaitReader() {
        let rests = DispatchSemaphore(value: 0)
        PendingEvents.whenHandedOn { rests.signal() }
        rests.wait()
    }

    /// DIR, with a value `there` and a file `other`: a forked child lets go of the value `v`, which is missing. Then it is
    /// linked there, and seen at once, or not.
    static func forkedLettingGo(_ arguments: [String]) throws {
        let container = try GroupContainer(directory: arguments[0], access: .readOnly)
        let there = try GroupFile("there", in: container, initialValue: 0, access: .readOnly)
        var missing: GroupFile<Int>? = try GroupFile("v", in: container, initialValue: 0, access: .readOnly)
        awaitReader()
        let child = cFork()
        if child == 0 {
            missing = nil
            _exit(0)
        }
        var status: Int32 = 0
        _ = unsafe waitpid(child, &status, 0)
        let directory = try SystemCalls.Directory(path: arguments[0])
        try directory.link("other", to: "v")
        // The look that comes every 30 seconds would find it.
        let end = Moment.now + .seconds(10)
        while Moment.now < end, missing?.value == 0 {}
        say("parent \(missing?.value ?? -1) \(there.value)")
    }
}
