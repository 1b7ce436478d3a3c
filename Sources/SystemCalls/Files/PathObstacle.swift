/// What is in the way where there should be a directory: its owner has to deal with it.
package enum PathObstacle: Sendable, Equatable {
    case other(String)
    /// `target`: the link's own text.
    case danglingLink(String, target: String)

    private static let mostLinks = 40

    /// The one at `path`, above it, or behind a link there; nil if nothing is in the way, or if that cannot be
    /// determined.
    package init?(at path: String) {
        self.init(at: path, links: 0)
    }

    private init?(at path: String, links: Int) {
        var place = path
        while !place.isEmpty, place != "/" {
            do throws(Errno) {
                switch try Path.linkStatus(of: place).kind {
                case .directory: return nil
                case .symbolicLink: try self.init(ofLink: place, links: links)
                default: self = .other(place)
                }
                return
            } catch {
                if !error.isNotFound { return nil }
            }
            place = Path.beforeLastSlash(place) ?? ""
        }
        return nil
    }

    private init?(ofLink link: String, links: Int) throws(Errno) {
        do throws(Errno) {
            if try Path.status(of: link).kind == .directory { return nil }
            self = .other(link)
        } catch  where error.isNotFound {
            let target = String(decoding: try Path.linkBytes(of: link), as: UTF8.self)
            let destination =
                Path.isAbsolute(target) ? target : (Path.beforeLastSlash(link).map { $0 + "/" } ?? "") + target
            let behind = links < Self.mostLinks ? PathObstacle(at: destination, links: links + 1) : nil
            self = behind ?? .danglingLink(link, target: target)
        }
    }

    /// What it is.
    package var description: String {
        switch self {
        case .other(let place): "\(place) is not a directory"
        case .danglingLink(let link, let target): "\(link) is a symbolic link to \(target), which does not exist"
        }
    }

    /// What to do about it.
    package var remedy: String {
        switch self {
        case .other: "use another path, or move it out of the way"
        case .danglingLink: "create that directory, or remove the link"
        }
    }

    /// The description and the remedy.
    package var advice: String { "\(description): \(remedy)" }
}
