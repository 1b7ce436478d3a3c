import Glibc

/// Waiting for one of several descriptors: poll(2).
package enum Poll {
    package struct Entry: Sendable {
        package enum Interest: Sendable {
            case readable, writable
            /// Only that the other end is gone.
            case closed

            fileprivate var events: Int32 {
                switch self {
                case .readable: Int32(POLLIN)
                case .writable: Int32(POLLOUT)
                case .closed: 0
                }
            }
        }

        fileprivate let descriptor: Int32
        fileprivate let interest: Interest
        package fileprivate(set) var isReady = false

        package init(_ descriptor: Int32, _ interest: Interest) {
            self.descriptor = descriptor
            self.interest = interest
        }
    }

    /// poll(2), until one is ready, or the moment has come: false in that case.
    package static func wait(_ entries: inout [Entry], until moment: Moment?) throws(Errno) -> Bool {
        var raw = entries.map { pollfd(fd: $0.descriptor, events: Int16($0.interest.events), revents: 0) }
        var count: Int32 = 0
        repeat {
            count = try perform(.poll) {
                // Called again after EINTR, for the time that then remains.
                unsafe poll(&raw, nfds_t(raw.count), milliseconds(until: moment))
            }
        } while count == 0 && moment.map { $0 > .now } ?? true
        for index in entries.indices {
            entries[index].isReady = raw[index].revents != 0
        }
        return count > 0
    }

    /// Rounded up, so that poll(2) does not return too early and have to be called once more.
    private static func milliseconds(until moment: Moment?) -> Int32 {
        guard let moment else { return -1 }
        let remaining = moment.nanoseconds - Moment.now.nanoseconds
        return Int32(clamping: max(0, (remaining + 999_999) / 1_000_000))
    }
}
