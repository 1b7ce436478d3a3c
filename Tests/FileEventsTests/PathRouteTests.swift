import Testing

@testable import FileEvents

struct PathRouteTests {
    /// A path, a leaf, links by their paths, and where they lead.
    static let routes: [(path: String, leaf: String?, links: [String: String], prefix: String, end: String?)] = [
        ("/", nil, [:], "", nil),
        ("//a/./b/", "v", [:], "/a/b", "v"),
        ("/a/../../b", nil, [:], "/b", nil),
        ("/a/l/../c", nil, ["/a/l": "x/y"], "/a/x/c", nil),
        ("/a/l/c", "v", ["/a/l": "/b", "/b/c": "../d"], "/d", "v"),
        ("/a", "l", ["/a/l": "b/v"], "/a/b", "v"),
        ("/a", "l", ["/a/l": "/b/m", "/b/m": "../c/v"], "/c", "v"),
        ("/a/b", "l", ["/a/b/l": ".."], "", "a"),
        ("/a", "l", ["/a/l": ".."], "", "."),
        ("/a/b", "l", ["/a/b/l": "."], "/a", "b"),
        ("/a/b", "l", ["/a/b/l": "../c/.."], "", "a"),
        ("/a/b", "..", [:], "", "a"),
        ("/a/b/l", "..", ["/a/b/l": "/c/d/e"], "/c", "d"),
        ("/a", "..", [:], "", "."),
        ("/a", "l", ["/a/l": "/"], "", "."),
    ]

    /// A link that only the kernel can follow stays in the path, and only the kernel can say what its parent is.
    @Test(arguments: [
        ("/p/root/a/b", "/p/root/./a/b"), ("/p/root/a/../b", "/p/root/./b"), ("/p/root/..", "/p/root/./.."),
        ("/p/root/../../a/..", "/p/root/./../.."), ("/p/root", "/p/root/."),
    ])
    func staysWithLinksThatOnlyTheKernelCanFollow(path: String, prefix: String) {
        var route = PathRoute(path, leaf: "v")
        while true {
            route.leaveForParents()
            if route.isAtEnd { break }
            if route.next == "root" { route.enterOpaqueLink() } else { route.enterDirectory() }
        }
        #expect(route.prefix == prefix)
        #expect(route.next == "v")
    }

    @Test(arguments: routes.indices)
    func leadsThroughLinks(index: Int) {
        let (path, leaf, links, prefix, end) = Self.routes[index]
        var route = PathRoute(path, leaf: leaf)
        while true {
            route.leaveForParents()
            guard let next = route.next else { break }
            if let destination = links[route.prefix + "/" + next] {
                route.follow(to: destination)
            } else {
                if route.isAtEnd { break }
                #expect(next == route.nextDirectory)
                let isBeforeEnd = route.isBeforeEnd
                route.enterDirectory()
                #expect(route.isAtEnd == isBeforeEnd)
            }
        }
        #expect(route.isAtEnd)
        #expect(route.prefix == prefix)
        #expect(route.next == end)
        #expect(route.links == links.count)
        #expect(route.isBehindLeaf == (leaf != end && leaf != ".."))
    }
}
