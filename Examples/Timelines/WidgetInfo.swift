public import ExampleSupport
import FoundationEssentials

/// A widget that is shown, by some process.
public struct WidgetInfo: Codable, Hashable, Sendable {
    public let kind: String
    public let process: ProcessIdentity
    /// How its user has configured it, as JSON; nil if there is nothing to configure.
    public let configuration: String?

    /// The configuration; nil if it is of another type.
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
