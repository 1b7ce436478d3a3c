/// Why a path is walked, other than for events.
enum WalkReason {
    /// It is time to look.
    case time
    /// Something was mounted or unmounted.
    case mounts
}
