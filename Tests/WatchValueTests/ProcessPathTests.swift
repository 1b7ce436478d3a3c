import Glibc
import TestSupport
import Testing

/// Paths through /proc, and current directories that no path leads to. Many of these tests need a private mount
/// namespace.
@Suite struct ProcessPathTests {
    /// Where the text of a link in /proc is a path in this namespace, too, that path leads to another file.
    @Test(arguments: ["$there/f", "link/f", "chain/link/f", "./file", "cwd/f", "cwd/../c/f", "$there/../c/f"])
    func valuesInAnotherNamespaceAreReached(_ name: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                mounting: "mount -t tmpfs none m",
                """
                mkdir c; echo 1 > c/f; mkfifo ready told
                unshare -m sh -c 'mount -t tmpfs none c; echo 2 > c/f; cd c; echo > ../ready; exec sleep 1000' & read line < ready
                there=/proc/$!/root$PWD/c
                ln -s $there link; ln -s $there/f file; mkdir chain; ln -s ../link chain/link; ln -s /proc/$!/cwd cwd
                process=$!; watch-value \(name) > told & exec 3< told; read line <&3; echo told $line
                watch-value set \(name) 3; read line <&3; echo told $line
                watch-value get \(name); watch-value update \(name) -- sh -c 'read x; echo ${x}0'
                read line <&3; echo told $line
                watch-value wait \(name) --for '. == 30' --timeout 60s; echo $?
                cat c/f $there/f; ls -A c; watch-value remove \(name); ls $there
                kill $! $process
                """)
            guard let result else { return }
            #expect(result.lines == ["told 2", "told 3", "3", "told 30", "0", "1", "30", "f"], "\(result)")
            // The kernel does not report that the process has changed its directory, or ended.
            #expect(result.errors.split(separator: "\n").allSatisfy { $0.contains(": polling, ") }, "\(result.errors)")
        }
    }

    @Test(arguments: ["$there", "link", "/proc/$process/cwd", "/proc/$process/cwd/../c"])
    func containersInAnotherNamespaceAreReached(_ container: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                mounting: "mount -t tmpfs none m",
                """
                mkdir c; mkfifo ready
                unshare -m sh -c 'mount -t tmpfs none c; cd c; echo > ../ready; exec sleep 1000' & read line < ready
                process=$!; there=/proc/$process/root$PWD/c; ln -s $there link
                watch-value --container \(container) set v 1; watch-value --container \(container) get v
                watch-value --container \(container) list; ls -A c; cat $there/v
                watch-value --container \(container) doctor | grep 'file system'; kill $process
                """)
            guard let result else { return }
            #expect(result.lines.dropLast() == ["1", "v", "1"], "\(result)")
            // A file system that is mounted in the other namespace is not listed in this one.
            #expect(result.lines.last?.contains("unknown: changes are not reported; polling ") == true, "\(result)")
            #expect(result.errors == "")
        }
    }

    /// The kernel does not report the process's change of directory. The path is polled, and the command reports what
    /// it leads to then.
    @Test func aProcessThatGoesElsewhereIsFollowed() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                mounting: "mount -t tmpfs none m",
                """
                mkdir a b; echo 1 > a/f; echo 2 > b/f; mkfifo ready gone told
                sh -c 'cd a; echo > ../ready; read line < ../ready; cd ../b; echo > ../gone; read line < ../ready' &
                read line < ready; process=$!
                watch-value /proc/$process/cwd/f > told & exec 3< told; read line <&3; echo told $line
                echo > ready; read line < gone; echo 777 > a/f; read line <&3; echo told $line
                kill $!; echo > ready
                """)
            guard let result else { return }
            #expect(result.lines == ["told 1", "told 2"], "\(result)")
            #expect(result.errors.contains("/f: polling, so changes are noticed late: proc does not report "))
        }
    }

    /// Two paths lead to one directory. One of them leads elsewhere later.
    @Test(arguments: ["./a/f", "/proc/$other/cwd/f"])
    func aProcessThatGoesElsewhereMisleadsNoOtherPath(_ path: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                """
                mkdir a b; echo 1 > a/f; echo 777 > b/f; mkfifo ready gone
                sh -c 'cd a; echo > ../ready; read line < ../ready; cd ../b; echo > ../gone; read line < ../ready' &
                process=$!; (cd a; exec sleep 100) & other=$!; read line < ready
                while [ "$(readlink /proc/$other/cwd)" != "$PWD/a" ]; do :; done
                watch-value \(path) /proc/$process/cwd/f > told & watching=$!
                until_told() { until grep -q "$1"'.*"value":'$2, told; do kill -0 $watching || exit; sleep 0.01; done; }
                until_told \(path) 1; until_told $process 1; echo > ready; read line < gone
                echo 2 > a/f; until_told \(path) 2; until_told $process 777
                kill $watching $other; echo > ready; grep \(path) told | jq '.value // empty'
                """)
            #expect(result.lines == ["1", "2"], "\(result)")
        }
    }

    /// If a command replaced the file, the link would still lead to the old one.
    @Test(arguments: [
        "set ./s 10", "update ./s -- echo 10", "remove ./s", "set ./s2 10", "set /dev/../proc/self/fd/0 10",
        "set /proc/self/root/dev/stdin 10", "set ./other 10",
    ])
    func whatAProcessHasOpenIsNotReplaced(_ words: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                """
                echo bad > f; ln -s /proc/self/fd/0 s; ln -s s s2; ln -s /proc/$$/fd/5 other; exec 5< f
                watch-value \(words) < f; echo $?; cat f; ls -A
                """)
            #expect(result.lines == ["74", "bad", "f", "other", "s", "s2"], "\(result)")
            #expect(
                result.errors.contains("it is a link in /proc to a file that a process has open"), "\(result.errors)")
        }
    }

    @Test func aPipeBehindALinkIsNoMissingValue() async throws {
        try await Script(
            "ln -s /dev/stdin s; echo 1 | watch-value get ./s", code: 74, error: "is a pipe or socket"
        ).check()
        try await Script("ln -s /dev/stdin s; echo 1 > f; watch-value get ./s < f", "1\n").check()
    }

    /// As after `sudo -u` in one's own directory: the directories above need not be entered again.
    @Test(.enabled(if: getuid() == 0, "only root can drop privileges"), .needs("setpriv"))
    func aCurrentDirectoryBelowAClosedOneIsWhereItIs() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                """
                mkdir -p p/in; chmod 777 p/in; chmod 700 p; cd p/in; mkfifo told; chmod 666 told
                run() { setpriv --reuid 61077 --clear-groups watch-value "$@"; }
                run set ./f 1; run --container . set v 2; cat f v; run --container . list
                run ./f > told & exec 3< told; read line <&3; echo told $line
                run set /proc/self/cwd/f 3; read line <&3; echo told $line; kill $!
                [ "$(run path ./f)" = "$PWD/f" ] && [ "$(run --container . path)" = "$PWD" ]; echo $?
                """)
            #expect(result.lines == ["1", "2", "f", "v", "told 1", "told 3", "0"], "\(result)")
            #expect(result.errors == "")
        }
    }

    /// The kernel does not give the path of such a directory.
    @Test func aCurrentDirectoryWithTooLongAPathIsWhereItIs() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                """
                top=$PWD; name=$(printf %0200d 0); for level in $(seq 25); do mkdir $name; cd -P $name; done; mkfifo told
                watch-value set ./f 1; watch-value --container . set v 2; cat f v; watch-value --container . list
                watch-value ./f > told & exec 3< told; read line <&3; echo told $line
                watch-value set ./f 3; read line <&3; echo told $line; kill $!
                # Foundation removes no paths as long as these.
                cd $top; rm -r $name
                """)
            #expect(result.lines == ["1", "2", "f", "v", "told 1", "told 3"], "\(result)")
            #expect(result.errors == "")
        }
    }

    /// A process knows itself what it has open and where it is, even if it has another number in its own PID namespace.
    @Test(arguments: ["/dev/fd/4/f", "/proc/self/cwd/f", "/proc/thread-self/cwd/f", "/proc/self/task/$$/fd/4/f", "./f"])
    func theOwnProcessIsNotPolled(_ name: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                mounting: "mount -t tmpfs none m",
                """
                mkdir d; cd d; exec 4< .; echo 1 > f; mkfifo told; mount -t tmpfs none $PWD
                unshare -pf watch-value get ./f
                sh -c 'exec watch-value \(name) > told' & exec 3< told; read line <&3; echo told $line
                watch-value set ./f 2; read line <&3; echo told $line; kill $!
                """)
            guard let result else { return }
            #expect(result.lines == ["1", "told 1", "told 2"], "\(result)")
            #expect(result.errors.split(separator: "\n").filter { !$0.contains("getcwd") } == [])
        }
    }

    /// Runs in a PID namespace of its own, where a process has another number than in the outer namespace's /proc.
    @Test func whoHasAnotherNumberThereIsNotTakenForOneself() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                mounting: "mount -t tmpfs none m",
                """
                mkdir d; echo 1 > d/f; mkfifo told
                sh -c 'cd d; exec sleep 100' & other=$!
                while [ "$(readlink /proc/$other/cwd)" != "$PWD/d" ]; do :; done
                unshare -pf --kill-child sh -c 'echo $(($1 - 1)) > /proc/sys/kernel/ns_last_pid
                    watch-value /proc/$1/cwd/f & [ $! = $1 ] && wait' sh $other > told & exec 3< told
                read line <&3; echo told $line; kill $other $!
                """)
            guard let result else { return }
            #expect(result.lines == ["told 1"], "\(result)")
            #expect(result.errors.contains("/f: polling, so changes are noticed late: proc does not report "))
        }
    }

    /// For the holder of a lock, too, the number in /proc is what counts.
    @Test func whoHasTheNumberOfTheLocksHolderIsNotTakenForIt() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                mounting: "mount -t tmpfs none m",
                """
                watch-value set ./f 1; flock -F .groupfile/f.lock sleep 100 & other=$!
                while flock -n .groupfile/f.lock true; do :; done
                unshare -pf --kill-child sh -c 'echo $(($1 - 1)) > /proc/sys/kernel/ns_last_pid
                    watch-value set ./f 2 --timeout 100ms & [ $! = $1 ] && wait $!' sh $other; echo $?; echo told $other; kill $other
                """)
            guard let result else { return }
            let holder = result.lines.last?.split(separator: " ").last ?? ""
            #expect(result.lines.first == "124", "\(result)")
            #expect(result.errors.contains(": process \(holder) (sleep) holds it; wait for it"), "\(result.errors)")
        }
    }

    /// The kernel does not report a new process, either.
    @Test func aProcessThatComesLaterIsFound() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                mounting: "mount -t tmpfs none m",
                """
                unshare -pf --mount-proc sh -c '
                    echo 1 > f; mkfifo told; watch-value --timeout 100s --events /proc/90/cwd/f > told & exec 3< told
                    while read line <&3; do case $line in *polling*) break ;; esac; done
                    last=0; while [ $last -lt 90 ]; do sleep 100 & last=$!; done
                    while read line <&3; do case $line in *:1,*) echo told; break ;; esac; done'
                """)
            guard let result else { return }
            #expect(result.lines == ["told"], "\(result)")
            #expect(result.errors.contains("/f: polling, so changes are noticed late: proc does not report "))
        }
    }

    /// They count as the kernel counts them.
    @Test func linksThatOnlyTheKernelFollowsAreCounted() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                mounting: "mount -t tmpfs none m",
                """
                mkdir c; mkfifo ready
                unshare -m sh -c 'mount -t tmpfs none c; cd c; echo > ../ready; exec sleep 1000' & read line < ready
                there=/proc/$!/cwd; mkdir $there/l0; echo 1 > $there/l0/f
                for i in $(seq 30); do ln -s $there/l$((i - 1)) $there/l$i; done
                for i in 19 20; do cat $there/l$i/f; watch-value set $there/l$i/f $i; echo $?; done; cat $there/l0/f; kill $!
                """)
            guard let result else { return }
            #expect(result.lines == ["1", "0", "74", "19"], "\(result)")
            #expect(
                result.errors.split(separator: "\n").count { $0.contains("Too many levels of symbolic links") } == 2)
        }
    }

    /// A path through a process of this namespace is like any other.
    @Test func aProcessOfThisNamespaceIsAWay() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                mounting: "mount -t tmpfs none m",
                """
                for there in /proc/self/root$PWD /proc/self/cwd /proc/$$/cwd; do
                    watch-value set $there/f 3; watch-value --container $there set v 4; cat f v; rm f v
                done
                """)
            guard let result else { return }
            #expect(result.lines == ["3", "4", "3", "4", "3", "4"], "\(result)")
        }
    }

    /// A process keeps its current directory when something else is mounted over it, and when it was entered in a way
    /// that is not a path.
    @Test(arguments: [
        "mount -t tmpfs none $PWD", "cd $there", "mount -t tmpfs none $PWD; cd .; cp $there/* .; umount -l .",
    ])
    func aCurrentDirectoryThatNoPathLeadsToIsWhereItIs(_ change: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                mounting: "mount -t tmpfs none m",
                """
                mkdir c; cd c; echo 1 > f; mkfifo ready; here=$PWD
                unshare -m sh -c 'exec 3> ready; mount -t tmpfs none $PWD; echo 1 > $PWD/f; echo >&3; exec sleep 1000 3>&-' &
                read line < ready; there=/proc/$!/root$PWD; \(change)
                watch-value get ./f; watch-value set ./f 2; watch-value --container . get f
                watch-value --container . set f 3; cat f
                watch-value -n 1 ./f -- sh -c 'cd /; cat "$WATCH_VALUE_PATH"'; watch-value path ./f; echo $?
                mkdir fd; watch-value set fd/x 5; cat fd/x; kill $!
                """)
            guard let result else { return }
            #expect(result.lines == ["1", "2", "3", "3", "74", "5"], "\(result)")
            #expect(
                result.errors.split(separator: "\n").filter { !$0.contains("getcwd") }.joined() == """
                    watch-value: ./f: no path leads to the current directory from here: go there by one, or name another
                    """, "\(result.errors)")
        }
    }
}
