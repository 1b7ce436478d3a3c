/// How often what somebody else undoes meanwhile is begun anew: a walk along a path, a change in a directory, a lock in it.
package enum Attempts {
    /// Another attempt is only made where a directory was removed, exchanged or made within the last one, which took
    /// microseconds. By chance that happens once or twice in a row; so often it happens because somebody does it all the time,
    /// and an error that says so is of more use than a call that does not return.
    package static let most = 16
}
