import CSystemCalls

/// Where the calling thread is: inside a codec, or not. A codec counts as a handler, too: see ``HandlerScope``.
///
/// It takes no closure: a generic one would request its types' metadata for each value that is encoded or decoded.
package enum CodecScope {
    /// Whether the calling thread is inside a codec.
    package static var isEntered: Bool { cs_codec_depth() > 0 }

    /// Whether the calling thread is inside a codec that another codec has led to.
    package static var isNested: Bool { cs_codec_depth() > 1 }

    /// Whether codecs have led to one another so often that this will not end.
    package static var isEndless: Bool { cs_codec_depth() > 32 }

    package static func enter() { cs_codec_enter() }
    package static func leave() { cs_codec_leave() }
}
