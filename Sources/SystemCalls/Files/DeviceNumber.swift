/// The number of a device, taken apart: makedev(3).
struct DeviceNumber {
    let major: UInt64
    let minor: UInt64

    init(major: UInt64, minor: UInt64) {
        self.major = major
        self.minor = minor
    }

    /// As stat(2) returns it.
    init(_ device: UInt64) {
        major = (device >> 8) & 0xFFF | (device >> 32) & 0xFFFF_F000
        minor = device & 0xFF | (device >> 12) & 0xFFFF_FF00
    }
}
