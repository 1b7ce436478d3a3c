/// Who holds a lock, as far as /proc shows.
package struct LockHolder: CustomStringConvertible, Sendable {
    package let process: Int32
    /// The program's name, where it can be read.
    package let program: String?

    init(_ process: Int32) {
        self.process = process
        program = Self.program(of: process)
    }

    /// Its number, and its program's name where that is known.
    package var description: String { "process \(process)" + (program.map { " (\($0))" } ?? "") }

    /// Compares with this process's number in /proc, where the holder's comes from.
    package var isThisProcess: Bool {
        do throws(Errno) { return try ProcessTable.identifier() == String(process) } catch { return false }
    }

    /// Whether it is stopped, and not by a tracer: its state in proc_pid_stat(5), the word after its name.
    package var isStopped: Bool {
        do throws(Errno) {
            return try ProcessTable.text("/proc/\(process)/stat").split(separator: ")").last?.hasPrefix(" T") ?? false
        } catch {
            return false  // It is gone.
        }
    }

    private static func program(of process: Int32) -> String? {
        do throws(Errno) {
            return try ProcessTable.text("/proc/\(process)/comm").split(separator: "\n").first.map(String.init)
        } catch {
            return nil  // It has ended meanwhile, or is hidden from us: its number has to suffice.
        }
    }
}
