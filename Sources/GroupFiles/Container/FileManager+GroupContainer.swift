public import FoundationEssentials

extension FileManager {
    /// The directory of a group as a URL, created if it is missing: that of `GroupContainer(identifier:)`, for ported
    /// code.
    ///
    /// This library sees files that are written there without it, but no lock is taken for them.
    ///
    /// - Returns: Nil if the identifier cannot be a directory's name, or the directory cannot be created;
    ///   `GroupContainer(identifier:)` throws the reason.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        do throws(GroupFileError) {
            return try GroupContainer(identifier: groupIdentifier).url
        } catch {
            return nil
        }
    }
}
