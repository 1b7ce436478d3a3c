import Dispatch
import Glibc
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

    /// Another thread holds the lock of `v` until what is returned is signalled.
    private static func holdLock(in container: GroupContainer) throws -> DispatchSemaphore {
        let held = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
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
        return letGo
    }

    /// DIR, or - for memory, and COUNT: while another thread has the lock, COUNT tasks that want it are cancelled, and
    /// as many wait for it. Prints how many threads that took at most, and the value in the end.
    static func tasks(_ arguments: [String]) throws {
        let container = try arguments[0] == "-" ? GroupContainer.inMemory() : GroupContainer(directory: arguments[0])
        let tasks = Tasks(try GroupFile("v", in: container, initialValue: 0, durability: .relaxed))
        let letGo = try holdLock(in: container)
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

/// An actor that runs on the main thread, so that none has to be made for it.
private actor MainThreadOwner {
    private final class Executor: SerialExecutor {
        private let jobs = Guarded<[UnownedJob]>([])
        private let wake = Semaphore()

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            jobs.withLock { $0.append(job) }
            wake.signal()
        }

        var isIdle: Bool { jobs.withLock(\.isEmpty) }

        func run() -> Never {
            while true {
                wake.wait()
                let job = jobs.withLock { $0.removeFirst() }
                unsafe job.runSynchronously(on: asUnownedSerialExecutor())
            }
        }
    }

    private let executor = Executor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    nonisolated func run() -> Never { executor.run() }

    private let file: GroupFile<Int>
    /// Whether the update that blocks the actor waits.
    nonisolated let isBlocked = Guarded(false)

    init(_ file: GroupFile<Int>) {
        self.file = file
    }

    /// An update by a task, and one that then blocks the actor, once no other thread than the one that has read the
    /// value can be started. Ends the process.
    func updateOnOneThread() async {
        do {
            try await file.read()
            guard Probe.allowNoMoreThreads() else { exit(0) }
            let awaited = Task { try await updateOnceThereIsAThread() }
            let blocking = Task {
                // Until the first update has the lock, and could begin its body. If that takes longer, there is nothing
                // to wait for.
                Thread.sleep(for: .milliseconds(1))
                try updateNow()
            }
            try await blocking.value
            try await awaited.value
            say("value \(file.value)")
        } catch {
            say("error \(error)")
        }
        exit(0)
    }

    /// The thread that has read the value may be about to wait for work; but if the machine is busy, it may have ended
    /// by now.
    private func updateOnceThereIsAThread() async throws {
        let end = Moment.now + .seconds(10)
        while .now < end {
            do {
                return try await file.update { $0 += 1 }
            } catch let error as GroupFileError where error.errno == EAGAIN {
                Thread.sleep(for: .milliseconds(1))
            }
        }
        say("no thread")
        exit(0)
    }

    /// Forks once the body of an awaited update could begin, and goes on in the child, too.
    func forkBeforeTheBody(letGo: DispatchSemaphore) async {
        let parent = getpid()
        func tell(_ what: String) { say("\(getpid() == parent ? "parent" : "child"): \(what)") }
        let update = Task {
            do {
                try await file.update { value in
                    tell("body")
                    value += 1
                }
                tell("value \(file.value)")
            } catch {
                tell("\((error as? GroupFileError).map { "\($0.code)" } ?? "\(error)")")
            }
            if getpid() != parent { _exit(0) }
        }
        let fork = Task {
            // The update waits for the lock by now, so its body is a job of its own.
            letGo.signal()
            forkOnceThereIsAJob()
        }
        await fork.value
        await update.value
        exit(0)
    }

    /// In the parent, waits for the child to end.
    private func forkOnceThereIsAJob() {
        while executor.isIdle { Thread.sleep(for: .milliseconds(1)) }
        // Until the thread that has resumed the task rests: the child has no use for locks that it holds within Swift.
        Thread.sleep(for: .milliseconds(50))
        let child = cFork()
        if child == 0 {
            alarm(30)
        } else {
            waitpid(child, nil, 0)
        }
    }

    private func updateNow() throws {
        isBlocked.withLock { $0 = true }
        try file.update { $0 += 1 }
        isBlocked.withLock { $0 = false }
    }
}

extension Probe {
    /// Ends itself if the two updates wait for each other. The value is one in memory: a directory is watched by
    /// threads that would end the wait.
    static func oneThread() throws -> Never {
        becomeAnother()
        let file = try GroupFile("v", in: .inMemory(), initialValue: 0, durability: .relaxed)
        let owner = MainThreadOwner(file)
        try Thread.spawn(named: "ends it") {
            Thread.sleep(for: .seconds(20))
            // Dispatch waits for a thread, and takes no job meanwhile, if it wanted one more just then.
            say(owner.isBlocked.withLock { $0 } ? "blocked" : "no thread")
            _exit(1)
        }
        Task.detached { await owner.updateOnOneThread() }
        owner.run()
    }

    /// Prints what parent and child see; see `forkBeforeTheBody`.
    static func forkBeforeBody() throws -> Never {
        let container = GroupContainer.inMemory()
        let owner = MainThreadOwner(try GroupFile("v", in: container, initialValue: 0, durability: .relaxed))
        let letGo = try holdLock(in: container)
        Task.detached { await owner.forkBeforeTheBody(letGo: letGo) }
        alarm(60)
        owner.run()
    }
}
