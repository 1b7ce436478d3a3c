import SystemCalls

@testable import GroupFiles

extension FileCore {
    /// As a directory's core does where events of this file were read.
    func namesChanged(_ masks: [InotifyMask]) {
        var isDue = false
        for mask in masks where receive(mask, 0) { isDue = true }
        if isDue { judgeEvents() }
    }
}
