import Dispatch
import Glibc
import GroupFiles
import SystemCalls

/// What becomes of a program's tasks.
extension Probe {
    // Swift passes two pointers as C does.
    private typealias Enqueue = @convention(c) (OpaquePointer) -> Void
    private typealias Hook = @convention(c) (OpaquePointer, Enqueue) -> Void

    /// DIR: tells the runtime by its hook where tasks go on, and loops over a value. Prints `loop NUMBER`, and at 3 how
    /// the hook is.
    static func hooked(_ arguments: [String]) throws {
        let file = try open(arguments[0], "v")
        guard let address = unsafe dlsym(nil, "swift_task_enqueueGlobal_hook") else { return say("no hook") }
        let hook = UInt(bitPattern: address)
        let own = unsafe unsafeBitCast(countingHook, to: UInt.self)
        setWord(hook, own)
        loop(over: file)
        say("kept \(word(hook) == own), calls \(hookCalls.withLock { $0 } >= 4)")
    }

    private static func loop(over file: GroupFile<Int>) {
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            for await value in file.values {
                say("loop \(value)")
                if value == 3 { break }
            }
            end.signal()
        }
        expect("ended", end, within: 20)
    }

    private static func word(_ address: UInt) -> UInt? {
        unsafe UnsafePointer<UInt>(bitPattern: address)?.pointee
    }

    private static func setWord(_ address: UInt, _ value: UInt) {
        unsafe UnsafeMutablePointer<UInt>(bitPattern: address)?.pointee = value
    }

    private static let hookCalls = Guarded(0)
    private static let countingHook: Hook = { job, enqueue in
        hookCalls.withLock { $0 += 1 }
        unsafe enqueue(job)
    }
}
