import SystemCalls

@testable import GroupFiles

extension FileCore {
    /// Delivers events, as a directory's core does when it has read events of this file.
    func namesChanged(_ masks: [InotifyMask]) {
        var isDue = false
        for mask in masks where receive(mask, 0) { isDue = true }
        if isDue { judgeEvents() }
    }
}
