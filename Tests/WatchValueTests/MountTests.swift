import Testing

/// What happens on file systems that are mounted in a private namespace, where the machine allows one.
@Suite struct MountTests {
    /// On this file system, as on btrfs, stat(2) gives another device than the kernel's list of locks.
    private let overlay = """
        mount -t tmpfs none m; mkdir m/lower m/upper m/over
        mount -t tmpfs none m/lower; mount -t tmpfs none m/upper; mkdir m/upper/upper m/upper/work
        mount -t overlay none -o lowerdir=m/lower,upperdir=m/upper/upper,workdir=m/upper/work,xino=off m/over
        """

    @Test func aLockOfAnOverlayIsSeen() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                mounting:
                    overlay,
                """
                cd over; lock=.groupfile/n.lock; watch-value --container . set n 1
                timeout 60 watch-value --container . update n -- watch-value --container . set n 2; echo $?
                flock -F $lock watch-value --container . set n 3 --timeout 50ms; echo $?
                flock -F $lock sh -c 'watch-value --container . doctor | grep locks'
                """)
            guard let result else { return }
            #expect(result.lines.prefix(2) == ["64", "124"])
            #expect(result.lines.last?.contains("n is held by process ") == true)
            #expect(result.errors.contains("n: this runs within an update of the same value"))
            #expect(result.errors.contains("(watch-value), which is this process, holds it"))
        }
    }

    /// What the command was started with comes from the C library, not from /proc.
    @Test func itRunsWithoutProc() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                mounting: "mount -t tmpfs none /proc",
                """
                watch-value --container . set 'a b' 1; watch-value --container . get 'a b'; echo $?; watch-value get ''
                watch-value --container . doctor | grep inotify
                """)
            guard let result else { return }
            #expect(result.lines.prefix(2) == ["1", "0"])
            #expect(result.lines.last?.hasSuffix("; mount /proc") == true, "\(result.lines)")
            #expect(!result.errors.contains("name a value"), "\(result.errors)")
        }
    }

    @Test func theDoctorTellsThatThereIsNoNullDevice() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                mounting: "mount -t tmpfs none /dev", "watch-value --container . doctor | grep 'round trip'; ls -A")
            guard let result else { return }
            #expect(result.lines.first?.contains("cannot open /dev/null: ") == true, "\(result)")
            #expect(result.lines.count == 1)
        }
    }

    /// A file cannot be exchanged with one of another mount, even if both mounts have the same file system.
    @Test(arguments: [
        ("mount -t tmpfs none m/c/.groupfile", "on another file system than "),
        ("mkdir m/there; mount --bind m/there m/c/.groupfile", "mounted by itself"),
    ])
    func whatIsMountedOverTheLocksIsTold(_ mount: String, _ how: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                mounting: "mount -t tmpfs none m; mkdir -p m/c/.groupfile; \(mount)",
                "watch-value --container c set v 1; echo $?; watch-value --container c doctor | grep locks")
            guard let result else { return }
            let cause = "/c/.groupfile is \(how)"
            #expect(result.lines.first == "74" && result.errors.contains(cause), "\(result.errors)")
            #expect(result.lines.contains { $0.hasPrefix("problem  locks") && $0.contains(cause) }, "\(result.lines)")
        }
    }

    /// All of the file system is read-only, or only a mount over the container.
    @Test(arguments: ["cd ..; mount -o remount,ro none m; cd m", "mount --bind c c; mount -o remount,bind,ro c"])
    func theDoctorTellsWhatIsReadOnly(_ remount: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                mounting: "mount -t tmpfs none m",
                "watch-value --container c set v 1; \(remount); watch-value --container c doctor; echo $?")
            guard let result else { return }
            #expect(result.lines.last == "1")
            let found = result.lines.filter { $0.contains("  file system  ") }
            #expect(found.count == 1 && found[0].hasPrefix("problem "), "\(result.lines)")
            #expect(
                found.first?.contains("mounted read-only, so no value can be written; mount it for writing") == true)
            #expect(!result.output.contains("run it as the owner"))
            #expect(result.errors == "")
        }
    }

    /// On ramfs, file times are those of the last tick. A change would wait for a foreign writer that seems to be
    /// writing in place.
    @Test func G2_whatWasWrittenWithinOneTickIsKnownToBeWhole() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                mounting: "mount -t ramfs none m",
                "for i in 1 2 3 4 5 6 7 8; do watch-value --container . set n $i --durability relaxed; stat -c '%y|%z' n; done"
            )
            guard let result else { return }
            #expect(result.lines.count == 8 && result.errors == "")
            for line in result.lines {
                let times = line.split(separator: "|")
                #expect(times.count == 2 && times[0] != times[1])
            }
        }
    }

    @Test func theDoctorKnowsFileSystemsWhosePlacesHaveSpaces() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                mounting: "mount -t tmpfs none m; mkdir 'm/a b'; mount -t ramfs none 'm/a b'",
                "watch-value --container 'a b/c' doctor")
            guard let result else { return }
            let found = result.lines.filter { $0.contains("  file system  ") }
            #expect(found.count == 1 && found[0].contains("ramfs"), "\(result.lines)")
        }
    }

    /// A limit is nearly used up at nine tenths; a limit of zero counts as used up, too.
    @Test(arguments: ["instances", "watches"])
    func theDoctorTellsWhatIsNearlyUsedUp(_ what: String) async throws {
        try await Sandbox.run { sandbox in
            let limit = "max_user_\(what)"
            let result = try sandbox.run(
                mounting: "mount -t tmpfs none m; echo 0 > m/none; mount --bind m/none /proc/sys/fs/inotify/\(limit)",
                "watch-value --container . doctor; echo $?")
            guard let result else { return }
            #expect(result.lines.last == "1")
            let found = result.lines.filter { $0.contains(limit) }
            #expect(found.count == 1 && found[0].hasPrefix("problem "), "\(result.lines)")
            #expect(found.first?.contains("sudo sysctl fs.inotify.\(limit)=") == true)
        }
    }

    @Test func theDoctorLeavesNothingOnAFullFileSystem() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                mounting: "mount -t tmpfs -o size=64k none m",
                """
                mkdir c; head -c 100000 /dev/zero > full; watch-value --container c doctor | grep 'round trip'; ls -A
                """)
            guard let result else { return }
            #expect(result.lines.first?.contains("not measured: ") == true, "\(result.lines)")
            #expect(result.lines.dropFirst() == ["c", "full"])
        }
    }
}
