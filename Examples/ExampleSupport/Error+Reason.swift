import Foundation
import SystemCalls

extension Error {
    /// Why a call of Foundation failed, in a few words: the kernel's words, if it was the kernel that refused.
    public var reason: String {
        let cause = (self as? CocoaError)?.underlying ?? self
        guard let code = (cause as? POSIXError)?.code else { return cause.localizedDescription }
        return Errno(rawValue: code.rawValue).description
    }
}
