import CSystemCalls

/// Where the calling thread is: inside a codec, or not. A codec counts as a handler, too: see ``HandlerScope``.
///
/// No closure: one that is generic would ask for its types' metadata at each value that is encoded or decoded.
package enum CodecScope {
    /// Whether a codec that the calling thread is inside of has led to another call of one.
    package static var isNested: Bool { cs_codec_depth() > 1 }

    package static func enter() { cs_codec_enter() }
    package static func leave() { cs_codec_leave() }
}
