import Synchronization
import SystemCalls

/// Whether the times of a directory's files tell any two versions of a file apart: found out while files are written.
///
/// Linux 6.13 and later give a file that was looked at another time at its next change, however soon that comes: on
/// ext4, XFS, Btrfs and tmpfs. Elsewhere it gets the time of the last tick, some milliseconds ago, which may be the one
/// that it has.
///
/// 1. A temporary file is *looked at* when it was created, and once it was written.
/// 2. If no tick came in between, both looks are *judged*: if the times differ, they are precise. But not if the file
///    seems to be older than the tick, as where times are whole seconds, one of which may just have ended.
/// 3. If one came, the next file is looked at: for as long as it takes, since a busy moment must not cost a process the
///    reads that precise times save it for the rest of its life.
final class FileTimes: Sendable {
    private enum Verdict: UInt8, AtomicRepresentable {
        case open, precise, coarse
    }

    private let verdict = Atomic(Verdict.open)

    /// Whether each change of a file that was looked at changes its time.
    var arePrecise: Bool { verdict.load(ordering: .relaxed) == .precise }

    /// The last tick, to be taken before a file is created; nil if there is nothing left to find out.
    func begin() -> Int64? { verdict.load(ordering: .relaxed) == .open ? FileClock.lastTick : nil }

    /// A file that was created in `control` after the `tick` was looked at, then written, and looked at once more.
    func judge(_ created: FileStatus, _ written: FileStatus, after tick: Int64, in control: Directory) {
        guard FileClock.lastTick == tick else { return }
        if created.modified != written.modified, created.modified >= tick, mayBePrecise(in: control) {
            verdict.store(.precise, ordering: .relaxed)
        } else {
            verdict.store(.coarse, ordering: .relaxed)
        }
    }

    /// Elsewhere two looks may differ by chance: a server has its own clock, and a precise time in one file system moves
    /// the last tick for all.
    private func mayBePrecise(in control: Directory) -> Bool {
        do throws(Errno) {
            return Self.precise.contains(try control.fileSystemType)
        } catch {
            return false
        }
    }

    /// By f_type of statfs(2): ext4, XFS, Btrfs, tmpfs, and overlayfs, whose files are those of another one.
    private static let precise: Set<Int64> = [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630]
}
