import Foundation
import SystemCalls
import TestSupport
import Testing

/// What happens where the system has no thread left for the library.
@Suite(.fewAtOnce)
struct ThreadTests {
    /// G4 and G14: where the library has no thread, none can notice that one could be made again. So the next caller
    /// makes it, through whichever entry point ("door") that caller comes.
    @Test(arguments: ["value", "status", "health", "sink", "read", "update", "schedule"])
    func G14_whoeverComesMakesTheThreadsThatWereNotToBeHad(door: String) async throws {
        let folder = try TemporaryDirectory(on: .memory)
        let isOpen = unsafe chmod(folder.path, 0o755) == 0
        #expect(isOpen)
        let outcome = try await Program.run(.product("probe"), ["threadless", folder.path("c"), door])
        if outcome.output == "no limit" {
            print("skipped, the number of threads cannot be limited here")
            return
        }
        #expect(
            outcome.output == """
                polling no thread can be created; raise ulimit -u or -v, or pids.max of the control group
                rang true
                told true
                live true
                """, "\(outcome)")
    }

    /// G8: a process that allows itself no more descriptors once it has opened its values, as before it enters a
    /// sandbox, still waits for its deadlines instead of spinning.
    @Test(arguments: [0, 1])
    func G8_whoMayOpenNothingMoreDoesNotSpin(limit: Int) async throws {
        let folder = try TemporaryDirectory()
        try folder.write("1\n", to: "v")
        let program = try Program(.product("probe"), ["watch", folder.path, "v"])
        try await program.line("value 1")
        let process = program.processIdentifier
        let first = try Self.deadlines(of: process)
        // The process cannot read the new value; the deadlines that this value sets make it wait again.
        try await folder.shell("prlimit --pid \(process) --nofile=\(limit):\(limit); echo 2 > v")
        #expect(try await eventually { try Self.deadlines(of: process) > first + 2 })
        #expect(
            try await eventually {
                let before = try Self.ticks(of: process)
                try await Task.sleep(for: .milliseconds(200))
                return try Self.ticks(of: process) <= before + 2
            })
    }

    /// How often the thread that keeps the deadlines of the process has waited.
    private static func deadlines(of process: Int32) throws -> Int {
        let threads = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: threads).reduce(0) { count, thread in
            let status: String
            do throws(Errno) {
                status = try ProcessTable.text("\(threads)/\(thread)/status")
            } catch {
                return count  // It has ended meanwhile.
            }
            guard status.hasPrefix("Name:\tgroup-files/sup") else { return count }
            let waits = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return count + (waits.flatMap { Int($0.filter(\.isNumber)) } ?? 0)
        }
    }

    /// The processor time that the process has used, in hundredths of a second.
    private static func ticks(of process: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // The fields follow the name, which is in parentheses.
        let fields = status.split(separator: ")").last?.split(separator: " ") ?? []
        return fields[11...12].compactMap { Int($0) }.reduce(0, +)
    }

    /// G4: where no more threads can be made, the existing ones do the work that others would do.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G4_whoCanHaveNoMoreThreadsIsToldAllTheSame(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let isOpen = unsafe chmod(folder.path, 0o755) == 0
        #expect(isOpen)
        let outcome = try await Program.run(.product("probe"), ["crowded", folder.path("c")])
        if outcome.output == "first true\nno limit" {
            print("skipped, the number of threads cannot be limited here")
            return
        }
        #expect(
            outcome.output == """
                first true
                second true
                written true
                """, "\(outcome)")
    }

    /// G5: an update whose body cannot begin lets others go first, even where no thread can be made that would see to
    /// that.
    @Test func G5_whoBlocksItsActorNeedsNoThreadToGetTheLock() async throws {
        let outcome = try await Program.run(.product("probe"), ["one-thread"])
        if outcome.output == "no limit" || outcome.output == "no thread" {
            print("skipped, the number of threads cannot be limited here")
            return
        }
        #expect(outcome.output == "value 2", "\(outcome)")
    }
}
