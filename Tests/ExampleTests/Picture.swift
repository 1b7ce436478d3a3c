import Foundation

/// Files that the app may share, and what the widget shows for them.
enum Picture: CaseIterable {
    case png
    case jpeg
    case progressiveJPEG
    case brokenPNG
    case brokenJPEG
    case text
    case empty

    var bytes: Data {
        switch self {
        case .png: Self.png(width: 200, size: 1000)
        // A comment that seems to contain another header comes before the frame.
        case .jpeg: Self.jpeg([0xFE, 0, 6, 0xFF, 0xC0, 0, 0], frame: 0xC0)
        case .progressiveJPEG: Self.jpeg([], frame: 0xC2)
        case .brokenPNG: Self.png.bytes.prefix(20)
        case .brokenJPEG: Self.jpeg.bytes.prefix(24)
        case .text: Data("no picture\n".utf8)
        case .empty: Data()
        }
    }

    var line: String {
        switch self {
        case .png: "Background: PNG, 200 × 480, 1000 bytes"
        case .jpeg: "Background: JPEG, 640 × 480, 45 bytes"
        case .progressiveJPEG: "Background: JPEG, 640 × 480, 37 bytes"
        case .brokenPNG: "Background: PNG, unknown dimensions, 20 bytes"
        case .brokenJPEG: "Background: JPEG, unknown dimensions, 24 bytes"
        case .text: "Background: unknown kind, unknown dimensions, 11 bytes"
        case .empty: "Background: unknown kind, unknown dimensions, 0 bytes"
        }
    }

    var problem: String? {
        switch self {
        case .png, .jpeg, .progressiveJPEG: nil
        case .brokenPNG: "the PNG picture's header is broken"
        case .brokenJPEG: "the JPEG picture's header is broken"
        case .text, .empty: "neither a PNG nor a JPEG picture"
        }
    }

    static func png(width: UInt8, size: Int) -> Data {
        var bytes = Data([0x89]) + Data("PNG\r\n".utf8) + Data([0x1A, 0x0A, 0, 0, 0, 13]) + Data("IHDR".utf8)
        bytes += [0, 0, 0, width, 0, 0, 1, 224, 8, 2, 0, 0, 0]
        return bytes + Data(count: size - bytes.count)
    }

    /// - Parameter comment: A segment without its first byte.
    private static func jpeg(_ comment: [UInt8], frame: UInt8) -> Data {
        var bytes = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16]) + Data("JFIF".utf8) + Data(count: 10)
        if !comment.isEmpty { bytes += [0xFF] + comment }
        return bytes + [0xFF, frame, 0, 11, 8, 1, 224, 2, 128, 1, 1, 17, 0] + [0xFF, 0xD9, 0, 0]
    }
}
