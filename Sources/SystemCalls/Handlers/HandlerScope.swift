import CSystemCalls

/// Where the calling thread is: inside a handler of this library, or not.
///
/// Every handler is called in this scope, however deep, including those of Observation and codecs.
/// `Subscription.cancel()` checks it, because inside a handler it must not wait: two handlers that cancel each other
/// would wait for ever.
package enum HandlerScope {
    /// Whether the calling thread is inside a handler.
    package static var isInside: Bool { cs_handler_depth() > 0 }

    /// Runs `body` on the calling thread, as the inside of a handler.
    package static func run<Result>(_ body: () -> Result) -> Result {
        cs_handler_enter()
        defer { cs_handler_leave() }
        return body()
    }
}
