import Synchronization
import SystemCalls

/// Whether the times of a directory's files tell any two versions of a file apart: found out while files are written.
///
/// On ext4, XFS, Btrfs and tmpfs under Linux 6.13 and later, the next change of a file whose times were looked at gives
/// it a new time, however soon that change comes. Elsewhere the file gets the time of the last tick, some milliseconds
/// ago, which may be the time that it has.
///
/// 1. A temporary file is *looked at* after it was created, and after it was written.
/// 2. If no tick came in between, the two looks are *judged*: if their times differ, times are precise. But not if the
///    file seems to be older than the tick, as where times are whole seconds, and a second may have just ended.
/// 3. If a tick came in between, the next file is looked at, and so on for as long as it takes: a busy moment must not
///    cost a process, for the rest of its life, the reads that precise times save.
final class FileTimes: Sendable {
    private enum Verdict: UInt8, AtomicRepresentable {
        case open, precise, coarse
    }

    private let verdict = Atomic(Verdict.open)

    /// Whether each change of a file that was looked at changes its time.
    var arePrecise: Bool { verdict.load(ordering: .relaxed) == .precise }

    /// The last tick, to be taken before a file is created; nil if there is nothing left to find out.
    func begin() -> Int64? { verdict.load(ordering: .relaxed) == .open ? FileClock.lastTick : nil }

    /// Judges the times of a file that was created in `control` after the `tick`, looked at, then written, and looked
    /// at again.
    func judge(_ created: FileStatus, _ written: FileStatus, after tick: Int64, in control: Directory) {
        guard FileClock.lastTick == tick else { return }
        if created.modified != written.modified, created.modified >= tick, mayBePrecise(in: control) {
            verdict.store(.precise, ordering: .relaxed)
        } else {
            verdict.store(.coarse, ordering: .relaxed)
        }
    }

    /// On other file systems two looks may differ by chance: a server has its own clock, and a precise time in one file
    /// system moves the last tick for all.
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
