import SystemCalls

/// How far the walk along a path has come, and what is left of it. Pure.
struct PathRoute {
    /// The way so far, without links but those that only the kernel can follow: behind such a one stands `.`, and for the
    /// directory above it `..`. Empty for the root.
    private(set) var prefix = ""
    /// The directories that are left.
    private var rest: [String]
    /// The name in the last of them. That of a directory which the way is known to only when it has been gone is `.`.
    private(set) var leaf: String?
    private(set) var links = 0
    /// Whether a link was followed in the leaf's place.
    private(set) var isBehindLeaf = false

    /// `path` is absolute.
    init(_ path: String, leaf: String?) {
        rest = Self.components(path)
        self.leaf = leaf
        leaveLeafForParent()
    }

    var nextDirectory: String? { rest.first }
    /// What is to be looked up in the prefix.
    var next: String? { rest.first ?? leaf }
    /// Whether the prefix is to be left for the directory above it.
    var isBeforeParent: Bool { rest.first == ".." }
    /// Whether one directory is left.
    var isBeforeEnd: Bool { rest.count == 1 }
    /// Whether none is.
    var isAtEnd: Bool { rest.isEmpty }

    /// The links before a `..` were followed: the directory above is what the text says.
    mutating func leaveForParents() {
        while isBeforeParent {
            rest.removeFirst()
            prefix = Self.isOpaque(prefix) ? prefix + "/.." : Path.beforeLastSlash(prefix) ?? ""
        }
        // What happens to a directory is told in the one above.
        if isAtEnd, leaf == ".", !prefix.isEmpty, !Self.isOpaque(prefix) {
            leaf = Path.afterLastSlash(prefix)
            prefix = Path.beforeLastSlash(prefix) ?? ""
        }
    }

    private mutating func leaveLeafForParent() {
        guard leaf == ".." else { return }
        rest.append("..")
        leaf = "."
    }

    /// Whether a prefix ends where only the kernel knows what is above.
    static func isOpaque(_ prefix: String) -> Bool { [".", ".."].contains(Path.afterLastSlash(prefix)) }

    /// The next name is a link's that only the kernel can follow, to a directory.
    mutating func enterOpaqueLink() {
        links += 1
        prefix += "/" + rest.removeFirst() + "/."
    }

    mutating func enterDirectory() {
        prefix += "/" + rest.removeFirst()
    }

    /// The next name is a link's.
    mutating func follow(to destination: String) {
        links += 1
        if Path.isAbsolute(destination) { prefix = "" }
        var components = Self.components(destination)
        if isAtEnd {
            leaf = components.popLast() ?? "."
            isBehindLeaf = true
        } else {
            rest.removeFirst()
        }
        rest = components + rest
        leaveLeafForParent()
    }

    private static func components(_ path: String) -> [String] {
        Path.components(path).map(String.init)
    }
}
