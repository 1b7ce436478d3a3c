import Foundation

extension TemporaryDirectory {
    /// Makes this process keep its containers here, and not where its user's are. Only for a test with a process of its
    /// own, such as an exit test: in another one other tests may be reading the environment.
    package func holdContainers() {
        unsafe setenv("GROUP_CONTAINERS", path, 1)
    }
}
