/// Why a file is read, which says whether its writer may have just begun.
enum ReadOccasion {
    /// Somebody asks for what is there now, or an event says that its writer is done.
    case wanted
    /// It was time to look, and no event has reported a change.
    case looked
    /// An event has reported a change, and the settle time after that is over.
    case settled
}
