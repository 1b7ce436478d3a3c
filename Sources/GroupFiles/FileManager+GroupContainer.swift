public import FoundationEssentials

extension FileManager {
    /// The directory of a group, made if it is missing: `GroupContainer(identifier:)`'s, as a URL, for ported code.
    ///
    /// Files that are written there without this library are seen by it, but nobody's lock is taken for them.
    ///
    /// - Returns: Nil where the identifier cannot be a directory's name, or the directory cannot be made;
    ///   `GroupContainer(identifier:)` throws what is wrong then.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        do throws(GroupFileError) {
            return try GroupContainer(identifier: groupIdentifier).url
        } catch {
            return nil
        }
    }
}
