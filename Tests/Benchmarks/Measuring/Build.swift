import SystemCalls

/// How programs were built, on which half of the time that starting them takes depends.
enum Build {
    static var configuration: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }

    /// The file of a product, which lies beside this program's file.
    static func product(_ name: String) throws -> String {
        let own = try Path.linkTarget(of: CurrentProcess.executable)
        return own.prefix(through: own.lastIndex(of: "/") ?? own.startIndex) + name
    }

    /// `dynamic` if the program loads Swift's library, `static` if the program contains it; ld.so(8) tells.
    static func linkage(of program: String, _ interrupts: Interrupts) throws -> String {
        let child = try Child(
            [program, "--version"], name: program, environment: [("LD_TRACE_LOADED_OBJECTS", "1")], interrupts)
        return String(decoding: try child.output(), as: UTF8.self).contains("libswiftCore") ? "dynamic" : "static"
    }
}
