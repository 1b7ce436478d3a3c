import SystemCalls

/// Whether threads can be given a slice of their own here: not before Linux 6.12, and not in every sandbox.
package enum Slices {
    package static var canBeSet: Bool { Thread.maySetSlice && Thread.slice(of: 0) != nil }
}
