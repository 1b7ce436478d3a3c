import Dispatch
import Glibc
import GroupFiles
import Observables
import SystemCalls

/// Subscribers of all kinds that come and go on many threads.
extension Probe {
    private struct Weak: Sendable {
        weak let file: GroupFile<Int>?
    }

    /// Holds a subscription until it is asked to let it go.
    private final class Holder: Sendable {
        private let subscription = Guarded<Subscription?>(nil)

        func hold(_ subscription: Subscription) { self.subscription.withLock { $0 = subscription } }

        func letGo() -> Subscription? { subscription.withLock { $0.take() } }
    }

    /// DIR ROUNDS: so many rounds on eight threads, twice. Prints which files, descriptors and memory are left.
    static func churn(_ arguments: [String]) throws {
        let before = try openDescriptors
        let rounds = number(arguments[1])
        var alive = try rush(arguments[0], rounds)
        let first = try memory()
        alive += try rush(arguments[0], rounds)
        // Idle threads end after a while, and close what they have open.
        let deadline = DispatchTime.now() + .seconds(20)
        while DispatchTime.now() < deadline, try openDescriptors > before || alive.contains(where: { $0.file != nil }) {
            usleep(1000)
        }
        say("files \(alive.filter { $0.file != nil }.count)")
        say("descriptors \(try openDescriptors - before)")
        say("memory \(try memory() - first)")
    }

    /// Resident bytes.
    private static func memory() throws -> Int {
        let file = try FileDescriptor.open("/proc/self/statm", .readOnly)
        let fields = String(decoding: try file.readToEnd(expected: 100, limit: 1000), as: UTF8.self).split(
            separator: " ")
        return number(String(fields[1])) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static func rush(_ directory: String, _ rounds: Int) throws -> [Weak] {
        let made = Guarded<[Weak]>([])
        let subject = ValueSubject(0)
        let ended = DispatchSemaphore(value: 0)
        for thread in 0..<8 {
            try Thread.spawn(named: "churn") {
                for round in 0..<rounds {
                    do {
                        let file = try open(directory, "v\((thread + round) % 4)")
                        made.withLock { $0.append(Weak(file: file)) }
                        subscribe(to: file, kind: round % 5)
                        subscribe(to: subject, kind: round % 5)
                    } catch {
                        say("\(error)")
                    }
                }
                ended.signal()
            }
        }
        for _ in 0..<8 { ended.wait() }
        return made.withLock { $0 }
    }

    private static func subscribe(to file: GroupFile<Int>, kind: Int) {
        let holder = Holder()
        let told = DispatchSemaphore(value: 0)
        holder.hold(
            file.sink { [weak file] value in
                switch kind {
                case 1: do { try file?.write(value &+ 1) } catch { say("\(error)") }
                case 2: file?.sink { _ in }.cancel()
                case 3: holder.letGo()?.cancel()
                case 4: _ = holder.letGo()
                default: break
                }
                told.signal()
            })
        // Half of them get a value first, the others are cancelled at once.
        if kind > 2 || Bool.random() {
            if told.wait(timeout: .now() + .seconds(20)) != .success { say("not told") }
        }
        holder.letGo()?.cancel()
    }

    private static func subscribe(to subject: ValueSubject<Int>, kind: Int) {
        let holder = Holder()
        holder.hold(
            subject.sink { value in
                switch kind {
                case 1: if value < 1_000_000 { subject.send(value + 1_000_000) }
                case 2: subject.sink { _ in }.cancel()
                case 3: holder.letGo()?.cancel()
                case 4: _ = holder.letGo()
                default: break
                }
            })
        subject.send(.random(in: 0..<1000))
        holder.letGo()?.cancel()
    }
}
