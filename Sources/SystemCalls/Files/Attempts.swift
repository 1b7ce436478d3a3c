/// How often to retry what others keep undoing: a walk along a path, a change in a directory, a lock in it.
package enum Attempts {
    /// A retry is made only if a directory was removed, exchanged or created during the last attempt, which took
    /// microseconds. By chance that happens once or twice in a row. If it happens this often, somebody does it all the
    /// time, and an error that says so is of more use than a call that does not return.
    package static let most = 16
}
