extension Sandbox {
    /// Runs `mount` in a private namespace, and then the script in `m` or beside it. Nil where the machine does not
    /// allow the mount.
    func run(mounting mount: String, isBeside: Bool = false, _ script: String) throws -> RunningScript.Result? {
        try run("cat > mount; mkdir m", input: mount)
        guard try run("exec unshare -Urm sh -e mount").code == 0 else {
            print("LEFT OUT, because it cannot be mounted here: \(mount)")
            return nil
        }
        try run("cat > script", input: script)
        return try run("exec unshare -Urm sh -c '. ./mount; \(isBeside ? ". ./script" : "cd m; . ../script")'")
    }
}
