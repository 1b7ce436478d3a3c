/// Who holds a lock, as far as /proc tells.
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

    /// By the number that this process has in /proc, as all numbers there are.
    package var isThisProcess: Bool {
        do throws(Errno) { return try ProcessTable.identifier() == String(process) } catch { return false }
    }

    /// Whether it was stopped, by its state in proc_pid_stat(5), the word behind its name; not by who traces it.
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
            return nil  // It ended meanwhile, or is hidden from us: its number has to do.
        }
    }
}
