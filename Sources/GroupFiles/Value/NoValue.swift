/// Why a content is not a value. Thrown, because an outcome that contains the value would be a generic type: looking up
/// its metadata and layout at each change takes hundreds of instructions more.
enum NoValue: Error {
    case missing
    case invalid(GroupFileError)
}
