import CSystemCalls

/// Where the calling thread is: inside a codec, or not. A codec counts as a handler, too: see ``HandlerScope``.
///
/// It takes no closure: a generic one would request its types' metadata for each value that is encoded or decoded.
package enum CodecScope {
    /// Whether the calling thread is inside a codec.
    package static var isEntered: Bool { cs_codec_depth() > 0 }

    /// Whether the calling thread is inside a codec that has itself led to a call of one.
    package static var isNested: Bool { cs_codec_depth() > 1 }

    /// Whether codecs have led to calls of codecs for so long that it will not end.
    package static var isEndless: Bool { cs_codec_depth() > 32 }

    package static func enter() { cs_codec_enter() }
    package static func leave() { cs_codec_leave() }
}
