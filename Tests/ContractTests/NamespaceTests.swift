import Foundation
import SystemCalls
import TestSupport
import Testing

enum Namespaces {
    /// Whether namespaces can be made together with a user namespace.
    static let areAllowed = areAllowed("-Urm")
    /// Whether root can make them without one; it can then also mount what lies on a disk.
    static let areAllowedToRoot = areAllowed("-m")

    private static func areAllowed(_ flags: String) -> Bool {
        do {
            let null = try FileDescriptor.open("/dev/null", .readWrite)
            let child = try ChildProcess.spawn(
                ["unshare", flags, "sh", "-c", "mount -t tmpfs none /mnt"], input: null, errors: null.rawValue,
                environment: [], leadsGroup: false)
            return try child.wait() == .exited(0)
        } catch {
            return false
        }
    }
}

/// What happens on a full file system, on a read-only one, without inotify, and under a mount. Each test runs in
/// namespaces of its own, where the machine allows that.
@Suite(.fewAtOnce, .enabled(if: Namespaces.areAllowed, "unshare -Urm is not allowed here"))
struct NamespaceTests {
    /// Runs the script with `$PROBE` set, in a folder in which `m` is a file system of 256 KB, or whatever `mounting`
    /// mounts.
    private func lines(
        _ script: String, in namespaces: String = "-Urm", mounting: String = "mount -t tmpfs -o size=256k none m",
        within limit: Duration = .testDeadline
    ) async throws -> [String] {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.path("m"), withIntermediateDirectories: false)
        let outcome = try await Program.run(
            .command("unshare"), [namespaces, "sh", "-ec", "\(mounting); \(script)"],
            environment: ["PROBE": Program.path(ofProduct: "probe")],
            directory: folder.path, within: limit)
        #expect(outcome.exit == .code(0), "\(outcome)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test func G6_aFullFileSystemKeepsTheOldValue() async throws {
        let lines = try await lines("\"$PROBE\" full m")
        #expect(
            lines == [
                "small ok", "full noSpace 28, noSpace 28", "kept true", "room ok true",
                #"left ["v.lock"]"#,
            ])
    }

    @Test func G6_aReadOnlyFileSystemKeepsTheOldValue() async throws {
        let lines = try await lines(
            """
            "$PROBE" set m/c v 1; mount -o remount,ro none m; "$PROBE" set m/c v 2; cat m/c/v
            mount -o remount,rw none m; "$PROBE" set m/c v 3; ls m/c/.groupfile
            """)
        #expect(
            lines == [
                "set 1: ok, ok, 1 current", "set 2: ok, permissionDenied 30, 1 current", "1",
                "set 3: ok, ok, 3 current", "v.lock",
            ])
    }

    @Test func G14_withoutInotifyItPollsAndReturnsToIt() async throws {
        let lines = try await lines("mkdir m/c; \"$PROBE\" instances m/c", within: .seconds(90))
        #expect(
            lines == [
                "polling no inotify instance or descriptor left; raise fs.inotify.max_user_instances, or ulimit -n",
                "polled true", "live true", "told true",
            ])
    }

    /// Container runtimes give programs single files this way. The next look in any case would come only after the
    /// wait is over.
    @Test func G14_aFileThatIsMountedByItselfIsPolled() async throws {
        let lines = try await lines(
            """
            mkdir m/from m/to; echo 1 > m/from/f; echo 0 > m/to/v; mount --bind m/from/f m/to/v
            command="$(dirname "$PROBE")/watch-value"
            "$command" wait ./m/to/v --for '== 2' --timeout 25s 2> m/errors & waiting=$!
            until grep -q polling m/errors; do sleep 0.05; done
            echo 2 > m/from/f; wait $waiting; cat m/errors
            "$command" set ./m/to/v 3 2>&1 || cat m/from/f
            """)
        #expect(
            lines == [
                "watch-value: ./m/to/v: polling, so changes are noticed late: the file is a mount of its own, "
                    + "whose changes are not reported in the directory",
                "watch-value: ./m/to/v: cannot publish the value: Device or resource busy; it may be a mount "
                    + "of a single file: change the original file; the value is unchanged",
                "2",
            ])
    }

    /// The same for a value of a container, among others that are not mounted; also if the value is mounted later, and
    /// until it is unmounted.
    @Test(arguments: [false, true])
    func G14_aValueThatIsMountedByItselfIsPolled(isLate: Bool) async throws {
        let mount = "mount --bind m/from/f m/to/v"
        let lines = try await lines(
            """
            mkdir m/from m/to; echo 1 > m/from/f; echo 0 > m/to/v; echo 0 > m/to/other
            \(isLate ? ":" : mount)
            command="$(dirname "$PROBE")/watch-value"
            "$command" watch --container m/to other v > m/told 2> m/errors & watching=$!
            until grep -q '"v"' m/told; do sleep 0.05; done
            \(isLate ? mount : ":")
            until grep -q polling m/errors; do sleep 0.05; done
            for i in 2 3; do
                echo $i > m/from/f; until grep -q '"name":"v","value":'$i m/told; do sleep 0.05; done
            done
            umount m/to/v; until grep '"name":"v"' m/told | tail -n 1 | grep -q '"value":0'; do sleep 0.05; done
            "$command" wait --container m/to other --for '== 4' & waiting=$!
            echo 4 > m/to/other; wait $waiting; kill $watching; sort -u m/errors
            """, within: .beforeTheHeartbeat)
        let complaints = ["other", "v"].map { name in
            "watch-value: \(name): polling, so changes are noticed late: v is a mount of its own, "
                + "whose changes are not reported in the directory"
        }
        #expect(lines == complaints)
    }

    /// The value's listeners come all at once, from a store that stood in for the container's.
    @Test func aPropertyWhoseMountedValueIsFoundLater() async throws {
        let lines = try await lines(
            """
            mkdir -p m/g; echo 1 > m/f; echo 0 > m/g/v; mount --bind m/f m/g/v
            unset HOME XDG_DATA_HOME GROUP_CONTAINERS; "$PROBE" homeless "$PWD/m" g v
            """)
        #expect(lines == ["0, open false", "1, open true", "polls true"])
    }

    /// Two changes within one tick of a file system's clock look like one: a file that changed lately may have changed
    /// again.
    @Test func aFileThatIsPolledIsToldOnceMoreWhenItHasComeToRest() async throws {
        let lines = try await lines(
            """
            mkdir m/from m/to; echo 1 > m/from/f; echo 0 > m/to/f; mount --bind m/from/f m/to/f
            touch log; "$PROBE" relative m/to f > log & watching=$!
            until grep -q active log; do sleep 0.05; done
            echo 2 > m/from/f; until [ "$(grep -c written log)" -ge 2 ]; do sleep 0.05; done
            kill $watching; cat log
            """)
        #expect(lines == ["active", "written", "written"])
    }

    /// The mount point is the observed file's directory, a directory above that, or the observed path itself.
    @Test(arguments: ["m/f", "m/d/f", "m"])
    func anObserverIsToldOfAnUnmount(path: String) async throws {
        let lines = try await lines(
            """
            mkdir m/d; echo 1 > m/d/f; echo 1 > m/f; touch log; "$PROBE" events \(path) > log & watching=$!
            until grep -q active log; do sleep 0.05; done
            umount m; until grep -q revoke log; do sleep 0.05; done
            kill $watching; cat log
            """)
        #expect(lines.count { $0.contains("revoke") } == 1, "\(lines.joined(separator: ", "))")
    }

    /// Nothing happens in the directory above then. Its entries are watched in any case, or only because of this.
    @Test(arguments: ["", "attrib"])
    func aMountedDirectorysPermissionsAreTold(mask: String) async throws {
        let lines = try await lines(
            """
            touch log; "$PROBE" events m \(mask) > log & watching=$!
            until grep -q active log; do sleep 0.05; done
            chmod 700 m; until grep -q attrib log; do sleep 0.05; done
            kill $watching; echo told
            """, within: .beforeTheHeartbeat)
        #expect(lines == ["told"])
    }

    /// Two paths lead to one directory; then one of them leads elsewhere.
    @Test func G4_anUnmountMisleadsNoOtherPath() async throws {
        let lines = try await lines(
            """
            mkdir m/a m/b; echo 1 > m/a/v; echo 2 > m/b/v; mount --bind m/a m/b; touch log
            "$(dirname "$PROBE")/watch-value" watch ./m/a/v ./m/b/v > log & watching=$!
            until [ "$(wc -l < log)" = 2 ]; do sleep 0.05; done
            umount m/b; until grep -q '"value":2' log; do sleep 0.05; done
            echo 3 > m/a/v; until grep -q '"value":3' log; do sleep 0.05; done
            kill $watching; sed -E 's/.*"name":"([^"]*)","value":([0-9]*).*/\\1 \\2/' log
            """)
        #expect(lines == ["./m/a/v 1", "./m/b/v 1", "./m/b/v 2", "./m/a/v 3"])
    }

    /// The root of a subvolume does not report its own removal, nor do the files in it report theirs.
    @Test func G4_theRemovalOfASubvolumeIsSeenAtOnce() async throws {
        let btrfs = "truncate -s 120M disk; { mkfs.btrfs -q disk && mount -o loop disk m; } > log 2>&1"
        let lines = try await lines(
            """
            command="$(dirname "$PROBE")/watch-value"; cd m; btrfs subvolume create c > log; echo 1 > c/v
            timeout 30 "$command" watch ./c/v --events > log & watching=$!
            until grep -q '"value":1,' log; do sleep 0.05; done
            btrfs subvolume delete c > deleted; until grep -q missing log; do sleep 0.05; done
            kill $watching; echo missing
            """, in: Namespaces.areAllowedToRoot ? "-m" : "-Urm", mounting: "\(btrfs) || { echo none; exit; }",
            within: .beforeTheHeartbeat)
        if lines == ["none"] { return print("LEFT OUT, because btrfs cannot be mounted here") }
        #expect(lines == ["missing"])
    }

    /// The mount is seen before the look that comes in any case. So is a mount over a directory above, a mount that is
    /// made anew, and a mount in a process that had too few descriptors when it began.
    @Test(arguments: ["m/c", "m", "m/c scarce"])
    func G4_aMountIsSeenAtOnce(place: String) async throws {
        let lines = try await lines("mkdir m/c; \"$PROBE\" mounted m/c \(place)")
        #expect(
            lines == [
                "before true", "a change true", "another true", "over it true", "again true", "anew true",
                "its write true",
            ])
    }
}
