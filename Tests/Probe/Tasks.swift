import Dispatch
import GroupFiles
import SystemCalls

/// Many tasks that want to change one value.
extension Probe {
    private final class Tasks: Sendable {
        let file: GroupFile<Int>
        /// The most threads that worked for the tasks at the same time.
        let most = Guarded(0)
        private let begun = DispatchSemaphore(value: 0)
        private let done = DispatchSemaphore(value: 0)

        init(_ file: GroupFile<Int>) {
            self.file = file
        }

        /// Starts a task that changes the value, and returns when it has begun.
        func change() -> Task<Void, Never> {
            let task = Task {
                begun.signal()
                do {
                    try await file.update { value in
                        count()
                        value += 1
                    }
                } catch is CancellationError {
                } catch {
                    say("error \(error)")
                }
                done.signal()
            }
            begun.wait()
            return task
        }

        func awaitOne() { done.wait() }

        func count() {
            do {
                let threads = try SystemCalls.Directory(path: "/proc/self/task").names().count { thread in
                    do throws(Errno) {
                        let name = try FileDescriptor.open("/proc/self/task/\(thread)/comm", .readOnly).readStart(64)
                        let text = String(decoding: name, as: UTF8.self)
                        return ["asy", "lck", "trn"].contains { text.hasPrefix("group-files/\($0)") }
                    } catch {
                        return false  // It has ended meanwhile.
                    }
                }
                most.withLock { $0 = max($0, threads) }
            } catch {
                say("error \(error)")
            }
        }
    }

    /// DIR, or - for memory, and COUNT: while another thread has the lock, COUNT tasks that want it are cancelled, and
    /// as many wait for it. Prints how many threads that took at most, and the value in the end.
    static func tasks(_ arguments: [String]) throws {
        let container = try arguments[0] == "-" ? GroupContainer.inMemory() : GroupContainer(directory: arguments[0])
        let held = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
        let tasks = Tasks(try GroupFile("v", in: container, initialValue: 0, durability: .relaxed))
        let isHeld = DispatchSemaphore(value: 0)
        let letGo = DispatchSemaphore(value: 0)
        try Thread.spawn(named: "holder") {
            do throws(GroupFileError) {
                try held.update { _ in
                    isHeld.signal()
                    letGo.wait()
                }
            } catch {
                say("error \(error)")
            }
        }
        isHeld.wait()
        let count = number(arguments[1])
        for _ in 0..<count {
            tasks.change().cancel()
            tasks.awaitOne()
        }
        tasks.count()
        for _ in 0..<count { _ = tasks.change() }
        tasks.count()
        letGo.signal()
        for _ in 0..<count { tasks.awaitOne() }
        say("most \(tasks.most.withLock { $0 })")
        say("value \(tasks.file.value)")
    }
}
