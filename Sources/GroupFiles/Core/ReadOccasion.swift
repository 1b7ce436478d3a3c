/// Why a file is read, which says whether its writer may have just begun.
enum ReadOccasion {
    /// Somebody wants what is there now, whatever events say.
    case asked
    /// It was time to look, and no event has told of a change.
    case looked
    /// The settle time is over after an event has told of a change.
    case settled
}
