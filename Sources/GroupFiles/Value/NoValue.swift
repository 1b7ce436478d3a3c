/// Why a content is not a value. This is thrown because an outcome type that contains the value would be generic:
/// looking up its metadata and layout at each change takes hundreds of instructions more.
enum NoValue: Error {
    case missing
    case invalid(GroupFileError)
}
