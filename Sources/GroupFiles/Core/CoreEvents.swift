import SystemCalls

/// What happened to one file, in order.
struct CoreEvents {
    let core: FileCore
    var masks: [InotifyMask]
}
