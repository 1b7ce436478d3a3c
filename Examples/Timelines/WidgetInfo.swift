public import ExampleSupport
import FoundationEssentials

/// A widget that is shown, by some process.
public struct WidgetInfo: Codable, Hashable, Sendable {
    public let kind: String
    public let process: ProcessIdentity
    /// How its user has configured it, as JSON; nil where there is nothing to configure.
    public let configuration: String?

    /// The configuration; nil where it is of another type.
    public func configuration<Configuration: Decodable>(as type: Configuration.Type) -> Configuration? {
        guard let configuration else { return nil }
        do {
            return try JSONDecoder().decode(type, from: Data(configuration.utf8))
        } catch {
            return nil
        }
    }

    static func encode(_ configuration: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(configuration), as: UTF8.self)
    }
}

/// Keeps it known which widget a renderer shows.
struct WidgetRegistration {
    private let kind: String
    private let center: TimelineCenter
    private let identifier = UUID().uuidString
    private var told: WidgetInfo?

    init(kind: String, center: TimelineCenter) {
        self.kind = kind
        self.center = center
    }

    mutating func tell(_ configuration: () throws -> String?, _ report: (any Error) -> Void) {
        do {
            let info = WidgetInfo(kind: kind, process: .current, configuration: try configuration())
            if info == told { return }
            try center.register(info, as: identifier)
            told = info
        } catch {
            report(error)
        }
    }

    func end(_ report: (any Error) -> Void) {
        do {
            if told != nil { try center.unregister(identifier) }
        } catch {
            report(error)
        }
    }
}
