import SystemCalls

/// How far the walk along a path has come, and what is left of it. Pure.
struct PathRoute {
    /// The way so far, without links except those that only the kernel can follow: such a link is followed by `.`, and
    /// then by `..` for the directory above. Empty for the root.
    private(set) var prefix = ""
    /// The directories that are left.
    private var rest: [String]
    /// The name in the last of them; `.` for a directory whose own name is known only at the end of the walk.
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
    /// Whether no directory is left.
    var isAtEnd: Bool { rest.isEmpty }

    /// Goes up for each `..`. The links before it have been followed, so the directory above is the one in the text.
    mutating func leaveForParents() {
        while isBeforeParent {
            rest.removeFirst()
            prefix = Self.isOpaque(prefix) ? prefix + "/.." : Path.beforeLastSlash(prefix) ?? ""
        }
        // Events about a directory's name come from the directory above.
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

    /// Enters the directory that the next name, a link which only the kernel can follow, leads to.
    mutating func enterOpaqueLink() {
        links += 1
        prefix += "/" + rest.removeFirst() + "/."
    }

    mutating func enterDirectory() {
        prefix += "/" + rest.removeFirst()
    }

    /// Follows the link that the next name is of.
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
