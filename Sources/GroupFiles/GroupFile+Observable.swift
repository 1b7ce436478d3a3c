public import Observation

/// Reads of `value`, `status` and `health` are tracked. A tracked read fires for changes after tracking has been installed,
/// on a thread of the library, and the handler reads the new value; one made during the tracked closure may go unseen: what
/// must not miss a value wants `sink` or `values`.
extension GroupFile: Observable {}
