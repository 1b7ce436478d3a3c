import Foundation

extension TemporaryDirectory {
    /// Has this process's containers lie in it, not where its user has his: for a process of a test's own, as an exit test
    /// has one, where nobody else reads the environment meanwhile.
    package func holdContainers() {
        unsafe setenv("GROUP_CONTAINERS", path, 1)
    }
}
