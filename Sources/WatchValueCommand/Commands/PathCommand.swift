import GroupFiles

/// `path`: where a value lies, or its container.
enum PathCommand {
    static func run(_ arguments: Arguments) throws(Failure) {
        guard let name = arguments.operands.first else {
            let container = try Location.container(arguments)
            try Location.checkIsLasting(container, about: "")
            return try Output.write(container + "\n")
        }
        let location = try Location(name, arguments)
        do throws(GroupFileError) {
            if location.container == nil { _ = try ValueName.ofFile(at: name) } else { try ValueName.check(name) }
        } catch {
            throw Failure(error, about: name)
        }
        try Location.checkIsLasting(location.path, about: name)
        try Output.write(location.path + "\n")
    }
}
