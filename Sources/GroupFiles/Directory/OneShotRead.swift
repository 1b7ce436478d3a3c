/// Reads a file once, without watching it or waiting for its writer. That takes no ``GroupFile``, and costs a fraction
/// of one.
///
/// It only returns what is there. A caller that finds no value in that opens a ``GroupFile``, which waits if somebody
/// is just writing, and otherwise says what is wrong.
package enum OneShotRead {
    /// Nil if there is no regular file that can be read, or if it has more than 16 MiB. A symbolic link in the last
    /// place is not followed.
    package static func bytes(of path: String) -> [UInt8]? {
        guard case .bytes(let bytes) = RegularFile.read(path, limit: 16 << 20).content else { return nil }
        return bytes
    }

    /// The same for a value in a container.
    package static func bytes(ofValue name: String, in container: String) -> [UInt8]? {
        ValueName.isValid(name) ? bytes(of: container + "/" + name) : nil
    }
}
