public import Observation

/// Reads of `value`, `status` and `health` are tracked. A tracked read fires for changes made after tracking has been
/// installed, on a thread of the library, and the handler reads the new value; a change made during the tracked closure
/// may go unseen: code that must not miss a value should use `sink` or `values`.
extension GroupFile: Observable {}
