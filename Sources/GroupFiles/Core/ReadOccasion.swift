/// Why a file is read, which says whether its writer may have just begun.
enum ReadOccasion {
    /// Somebody asks for what is there now, or an event says that its writer is done.
    case wanted
    /// It was time to look, and no event has told of a change.
    case looked
    /// The settle time is over after an event has told of a change.
    case settled
}
