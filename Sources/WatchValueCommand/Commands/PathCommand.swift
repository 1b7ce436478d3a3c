import GroupFiles

/// `path`: where a value is, or the container.
enum PathCommand {
    static func run(_ arguments: Arguments) throws(Failure) {
        guard let name = arguments.operands.first else {
            return try Output.write(try Location.lasting(Location.container(arguments), about: "") + "\n")
        }
        let location = try Location(name, arguments)
        do throws(GroupFileError) {
            if location.container == nil { _ = try ValueName.ofFile(at: name) } else { try ValueName.check(name) }
        } catch {
            throw Failure(error, about: name)
        }
        try Output.write(try Location.lasting(location.path, about: name) + "\n")
    }
}
