import SystemCalls

/// The permission bits of what is at a path, as `stat -c %a` prints them. A link is not followed.
package func mode(_ path: String) throws -> String {
    String(try Path.linkStatus(of: path).permissions, radix: 8)
}
