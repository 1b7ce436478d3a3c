import FoundationEssentials

/// What the header of a picture says about it.
struct Picture: CustomStringConvertible {
    enum Kind: String {
        case png = "PNG"
        case jpeg = "JPEG"
    }

    let kind: Kind?
    /// In pixels; nil if they cannot be found.
    let dimensions: (width: Int, height: Int)?
    let size: Int

    init(_ data: Data) {
        size = data.count
        // A JPEG's dimensions may come after a preview and much else, so all of it is searched.
        let bytes = Array(data)
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            kind = .png
            dimensions = Self.pngDimensions(bytes)
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            kind = .jpeg
            dimensions = Self.jpegDimensions(bytes)
        } else {
            kind = nil
            dimensions = nil
        }
    }

    /// Why it cannot be shown; nil if it can.
    var problem: String? {
        guard let kind else { return "neither a PNG nor a JPEG picture" }
        return dimensions == nil ? "the \(kind.rawValue) picture's header is broken" : nil
    }

    var description: String {
        let kind = kind?.rawValue ?? "unknown kind"
        let pixels = dimensions.map { "\($0.width) × \($0.height)" } ?? "unknown dimensions"
        return "\(kind), \(pixels), \(size) bytes"
    }

    /// The first chunk is the header, `IHDR`, and begins with the dimensions: 4 bytes each.
    private static func pngDimensions(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        return (number(bytes[16..<20]), number(bytes[20..<24]))
    }

    /// Each segment is 0xFF, a marker, and a length that includes its own two bytes. The segment of the frame, whatever
    /// its compression, has the height and the width after one byte for the precision.
    private static func jpegDimensions(_ bytes: [UInt8]) -> (Int, Int)? {
        let frames = Set<UInt8>(0xC0...0xCF).subtracting([0xC4, 0xC8, 0xCC])
        var start = 2
        while start + 4 <= bytes.count, bytes[start] == 0xFF {
            let marker = bytes[start + 1]
            if marker == 0xFF {
                start += 1  // Any number of these may come before a marker.
                continue
            }
            if frames.contains(marker) {
                guard start + 9 <= bytes.count else { return nil }
                return (number(bytes[start + 7..<start + 9]), number(bytes[start + 5..<start + 7]))
            }
            let length = number(bytes[start + 2..<start + 4])
            // The image data, or the end, comes before any frame, or a length is impossible: the picture is broken.
            if length < 2 || marker == 0xDA || marker == 0xD9 { return nil }
            start += 2 + length
        }
        return nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
