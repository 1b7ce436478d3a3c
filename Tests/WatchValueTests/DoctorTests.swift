import FileEvents
import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import WatchValueCommand

private struct Report: Decodable {
    struct Finding: Decodable {
        var subject: String
        var level: String
        var text: String
        var advice: String?
        var type: String?
        var median_us: Int?
        var limit: Int?
        var used: Int?
        var process: Int32?
    }

    var container: String?
    var findings: [Finding]
}

@Suite struct DoctorTests {
    private func report(_ sandbox: Sandbox, _ words: String = "", code: Int32 = 0) throws -> Report {
        let result = try sandbox.run("watch-value doctor --json \(words)")
        #expect(result.errors == "")
        #expect(result.output.filter { $0 == "\n" }.count == 1)
        let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
        // Other programs may have used up the machine's limits.
        let isShort = report.findings.contains { $0.subject == "inotify" && $0.level == "problem" }
        #expect(result.code == (isShort ? 1 : code), "\(result.output)")
        return report
    }

    @Test(arguments: TemporaryDirectory.Place.allCases)
    func allIsWell(_ place: TemporaryDirectory.Place) async throws {
        try await Sandbox.run(place) { sandbox in
            try sandbox.run("watch-value set v 1")
            let before = try sandbox.everything()
            // Some of inotify's resources must be in use for the report to show it.
            let observer = FileObserver(path: sandbox.path("groups/default/v"))
            observer.activate()
            defer { observer.cancel() }
            let text = try sandbox.run("watch-value doctor")
            #expect(text.errors == "")
            for part in [
                "container", "file system", "max_user_instances", "max_user_watches", " µs ", "locks", "1 of 1",
            ] {
                #expect(text.output.contains(part), "\(text.output)")
            }
            #expect(text.lines.allSatisfy { $0.hasPrefix("good ") || $0.contains("inotify") })
            let report = try report(sandbox)
            #expect(report.container == sandbox.path("groups/default"))
            #expect(report.findings.contains { $0.median_us ?? 0 > 0 })
            #expect(report.findings.contains { $0.limit ?? 0 > 0 && $0.used ?? 0 > 0 }, "\(text.output)")
            if place == .memory { #expect(report.findings.contains { $0.type == "tmpfs" }) }
            #expect(try sandbox.everything() == before)
        }
    }

    @Test func noContainerYet() async throws {
        try await Sandbox.run { sandbox throws in
            #expect(try report(sandbox).findings.contains { $0.level == "note" && $0.subject == "container" })
            #expect(try sandbox.everything() == [])
        }
    }

    /// As under cron.
    @Test func noPlaceForContainers() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run("unset GROUP_CONTAINERS HOME; watch-value doctor --json")
            #expect(result.code == 1)
            #expect(result.errors == "")
            let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
            #expect(report.container == nil)
            let found = report.findings.first { $0.subject == "container" }
            #expect(found?.level == "problem")
            #expect(found?.text == "there is no place for containers: set HOME, or GROUP_CONTAINERS to a directory")
        }
    }

    @Test(arguments: [
        (
            "ln -s v groups/default/alias", "note", "value alias",
            "a symbolic link in the value's place; it is left alone"
        ),
        ("ln -s nowhere groups/default/alias", "note", "value alias", "a symbolic link in the value's place"),
        ("mkfifo groups/default/fifo", "note", "value fifo", "a FIFO in the value's place"),
        ("mkdir groups/default/d", "note", "value d", "a directory in the value's place"),
        ("echo '{' > groups/default/bad", "problem", "value bad", "2:1: "),
        ("chmod 777 groups/default", "problem", "container", "chmod o-w"),
        (
            "mv groups/default x; ln -s nowhere groups/default", "problem", "container",
            "groups/default is a symbolic link to nowhere"
        ),
        ("mv groups x; ln -s /nowhere groups", "problem", "container", "groups is a symbolic link to /nowhere"),
        (
            "mv groups x; ln -s to groups; ln -s /nowhere to", "problem", "container",
            "/to is a symbolic link to /nowhere, which does not exist; create that directory, or remove the link"
        ),
        (
            "mv groups x; touch groups", "problem", "container",
            "/groups is not a directory; use another path, or move it out of the way"
        ),
        ("mv groups/default x; ln -s default groups/default", "problem", "container", "correct the symbolic links"),
        ("mv groups/default x; touch groups/default", "problem", "container", "not a directory"),
        (
            "cd groups/default/.groupfile; rm v.lock; mkfifo v.lock", "problem", "locks",
            "/.groupfile/v.lock is not a file, so values that need it cannot be written; move it away"
        ),
        ("cd groups/default/.groupfile; rm v.lock; mkdir v.lock", "problem", "locks", "v.lock is not a file"),
        ("cd groups/default/.groupfile; rm v.lock; ln -s /dev/null v.lock", "problem", "locks", "v.lock is not a file"),
        ("cd groups/default/.groupfile; mkfifo v.turn", "problem", "locks", "v.turn is not a file"),
        (
            "cd groups/default; mv .groupfile ../../x; ln -s ../../x .groupfile", "problem", "locks",
            "/.groupfile is not a directory, so values that need it cannot be written; move it away"
        ),
        ("cd groups/default; rm -r .groupfile; ln -s no .groupfile", "problem", "locks", "is not a directory"),
        ("cd groups/default; rm -r .groupfile; touch .groupfile", "problem", "locks", "is not a directory"),
        (
            "touch groups/default/.groupfile/v.99999999-x.tmp", "note", "leftovers",
            "v.99999999-x.tmp: left by writers that were killed, and named by no lock's file"
        ),
        (
            "cd groups/default/.groupfile; touch v.9-x.tmp; echo v.9-x.tmp > v.lock", "note", "leftovers",
            "v.9-x.tmp: left by writers that were killed; the next write of that value by a user who may removes it or"
        ),
        ("cd groups/default/.groupfile; touch w.9-x.tmp.old", "note", "leftovers", "look whether you want them"),
        (
            "cd groups/default/.groupfile; touch v.9-x.tmp; echo v.8-y.tmp > v.lock", "note", "leftovers",
            "v.9-x.tmp: left by writers that were killed, and named by no lock's file"
        ),
        ("echo '{' > groups/default/v; watch-value set v 2", "note", "rejected", "v.rejected"),
        (
            "mkdir x; cd x; echo '{' > v; for i in 1 2; do watch-value --container . set v $i; echo $i{ > v; done; "
                + "watch-value --container . set v 3; cp .groupfile/v.rej* ../groups/default/.groupfile", "note",
            "rejected", "v.rejected, v.rejected.1, v.rejected.2: "
        ),
    ])
    func findings(_ script: String, _ level: String, _ subject: String, _ text: String) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1; \(script)")
            let report = try report(sandbox, code: level == "problem" ? 1 : 0)
            let found = report.findings.filter { $0.subject == subject }
            #expect(found.count == 1 && found.first?.level == level)
            #expect(found.contains { "\($0.text); \($0.advice ?? "")".contains(text) })
        }
    }

    /// The process with the folder's PID is not alive: no PIDs are as high as these.
    @Test func whatKilledDoctorsLeftIsRemoved() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run(
                """
                watch-value set v 1; cd groups
                mkdir .watch-value-doctor-99999991
                for folder in .watch-value-doctor-99999992 default/.watch-value-doctor-99999992; do
                    watch-value set $folder/value 1; touch $folder/.groupfile/value.99999992-x.tmp
                done
                """)
            // Repeats until one doctor is killed while its folder exists.
            try waitUntil("a folder") {
                try sandbox.run(
                    """
                    watch-value doctor > /dev/null & folder=groups/.watch-value-doctor-$!
                    while [ -e /proc/$!/exe ]; do if [ -e $folder ]; then kill -KILL $!; break; fi; done
                    wait; [ -e $folder ]
                    """
                ).code == 0
            }
            #expect(try report(sandbox).findings.contains { $0.median_us ?? 0 > 0 })
            let rest = try sandbox.run("ls -A groups; cd groups/default; echo .watch-value-doctor-*/*").lines
            #expect(rest == ["default", ".watch-value-doctor-99999992/value"])
        }
    }

    /// The folder may belong to a process with the same number in another namespace, or may be a trap for root.
    @Test func anotherFolderOfItsNameIsLeftAlone() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            let result = try sandbox.run(
                """
                folder=groups/.watch-value-doctor-$$; mkdir -p $folder/.groupfile; touch $folder/value $folder/.groupfile/x
                echo $folder/* $folder/.groupfile/*; exec watch-value doctor
                """)
            #expect(result.errors == "")
            #expect(result.lines.contains { $0.hasPrefix("good     round trip") }, "\(result.lines)")
            let left = try sandbox.run("cd groups; ls -d .watch-value-doctor-*; echo .watch-*/* .watch-*/.groupfile/*")
            #expect(left.lines.count == 2)
            #expect(left.lines.last?.split(separator: " ").count == 2, "\(left.lines)")
        }
    }

    @Test func whatOnlyResemblesADoctorsFolderStays() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run(
                """
                watch-value set v 1; cd groups; mkdir there; touch there/value; ln -s there .watch-value-doctor-99999991
                touch .watch-value-doctor-99999992
                mkdir .watch-value-doctor-{x,099999993,+99999994,99999995-,$PPID} watch-value-doctor-99999996
                """)
            let before = try sandbox.everything()
            _ = try report(sandbox)
            #expect(try sandbox.everything() == before)
        }
    }

    @Test(arguments: [("{e..h}", "7", "a, d, e, …"), ("", "3", "a, d, fifo")])
    func manyThatAreNoFiles(_ more: String, _ count: String, _ names: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                "watch-value set v 1; cd groups/default; mkdir d \(more); ln -s v a; mkfifo fifo; watch-value doctor")
            let notes = result.lines.filter { $0.hasPrefix("note ") }
            #expect(notes.count == 1, "\(result.lines)")
            let text = "  \(count) entries are not files: \(names); they are left alone"
            #expect(notes.allSatisfy { $0.contains("  values ") && $0.hasSuffix(text) }, "\(notes)")
        }
    }

    /// The doctor must not advise removing that value's lock.
    @Test func aValueWhoseNameLooksLikeWhatIsKept() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set notes.rejected 1; watch-value set v.rejected.1 1")
            #expect(try report(sandbox).findings.allSatisfy { $0.subject != "rejected" })
            try sandbox.run("echo '{' > groups/default/notes.rejected; watch-value set notes.rejected 2")
            let text = try sandbox.run("watch-value doctor").output
            #expect(
                text.contains(" notes.rejected.rejected: rejected content, which was no valid value for its writer; "),
                "\(text)")
        }
    }

    @Test func aFileSystemThatCannotTell() async throws {
        try await Sandbox.run { sandbox in
            let report = try report(sandbox, "--container /proc/sys", code: 1)
            #expect(report.findings.contains { $0.type == "proc" && $0.level == "problem" && $0.advice != nil })
            #expect(report.findings.allSatisfy { $0.level != "problem" || $0.advice != nil })
        }
    }

    /// The file system is the reason for missing notifications only if the kernel would report changes on another one.
    @Test func theAdviceFitsTheReason() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("chmod 755 . && watch-value set v 1 && chmod 755 groups && chmod 711 groups/default")
            func advice(_ start: String) throws -> String? {
                let result = try sandbox.run("\(start) watch-value doctor --json")
                #expect(result.errors == "")
                let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
                return report.findings.first { $0.subject == "file system" }?.advice
            }
            if getuid() == 0, Tools.has("setpriv") {
                let found = try advice("setpriv --reuid 65534 --clear-groups")
                #expect(
                    found
                        == "run it as the owner of \(sandbox.path("groups/default")), or get the permission to list it")
            }
            for limit in ["instances", "watches"] {
                let none = "echo 0 > /proc/sys/user/max_inotify_\(limit)"
                guard try sandbox.run("unshare -Ur sh -c '\(none)'").code == 0 else {
                    print("LEFT OUT, because the limit cannot be set here: \(limit)")
                    continue
                }
                let found = try advice("unshare -Ur sh -c '\(none); exec \"$@\"' sh")
                #expect(found?.hasPrefix("sudo sysctl user.max_inotify_\(limit)=") == true, "\(found ?? "")")
            }
        }
    }

    /// A process that has dropped its privileges is hidden from its own user.
    @Test(.enabled(if: getuid() == 0, "only root can drop privileges"), .needs("setpriv", "python3"))
    func whatIsHiddenIsNotCalledUnused() async throws {
        try await Sandbox.run { sandbox in
            // A user without other processes. Another run of the tests would use the same fixed one.
            let user = 20_000 + getpid() % 40_000
            let hides = "import os, sys; os.setuid(\(user)); print(flush=True); sys.stdin.read()"
            let result = try sandbox.run(
                """
                mkdir d; chmod 755 . d
                coproc python3 -c '\(hides)'
                read -ru "${COPROC[0]}"
                setpriv --reuid \(user) --clear-groups watch-value --container d doctor | grep inotify
                """)
            #expect(result.output.contains("0 of "), "\(result)")
            let text = "used (fs.inotify.max_user_instances), not counting those of 1 process that you may not inspect"
            #expect(result.output.contains(text), "\(result)")
        }
    }

    @Test(arguments: 5...12)
    func fewDescriptors(_ count: Int) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            let before = try sandbox.everything()
            let result = try sandbox.run("ulimit -n \(count); exec watch-value doctor")
            #expect(try sandbox.everything() == before)
            #expect(!result.errors.contains("cannot be removed"), "\(result.errors)")
            #expect(!result.output.contains("mount /proc"), "\(result.output)")
            #expect(!result.output.contains("check who owns it"), "\(result.output)")
            #expect(!result.output.contains("check the permissions"), "\(result.output)")
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root can be another user"), .needs("setpriv"))
    func anOwnContainerInAnothersDirectoryIsMeasured() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                """
                chmod 755 .; mkdir -m 755 q; mkdir -m 700 q/own; chown 65534 q/own
                exec setpriv --reuid 65534 --clear-groups watch-value doctor --container "$PWD/q/own"
                """)
            #expect(result.lines.contains { $0.contains("  round trip  ") && $0.contains(" µs ") }, "\(result.lines)")
            #expect(try !sandbox.everything().contains("doctor"))
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root can be another user"), .needs("setpriv"))
    func noPlaceToMakeTheContainer() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                "chmod 755 .; mkdir -m 755 groups; exec setpriv --reuid 65534 --clear-groups watch-value doctor")
            #expect(result.code == 1)
            let found = result.lines.filter { $0.contains("  container  ") }
            #expect(found.count == 1 && found[0].hasPrefix("problem "), "\(result.lines)")
            #expect(
                found.first?.contains("does not exist, and you may not create it in \(sandbox.path("groups")); ")
                    == true)
            let trip = "note     round trip   not measured: cannot make a folder in \(sandbox.path("groups")): "
            #expect(result.lines.contains { $0.hasPrefix(trip + "Permission denied; run it as") }, "\(result.lines)")
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root can be another user"), .needs("setpriv"))
    func aContainerThatItsOwnerMayNotWriteIn() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                """
                chmod 755 .; mkdir -m 500 c; chown 65534 c
                exec setpriv --reuid 65534 --clear-groups watch-value doctor --container c
                """)
            #expect(result.code == 1)
            let found = result.lines.filter { $0.contains("  container  ") }
            #expect(found.count == 1 && found[0].hasPrefix("problem "), "\(result.lines)")
            #expect(found.first?.contains("you may not write in it; chmod u+rwx ") == true, "\(result.lines)")
        }
    }

    @Test(
        .enabled(if: getuid() == 0, "only root can be another user"), .needs("setpriv"),
        arguments: [("755", "note "), ("700", "problem "), ("744", "problem ")])
    func aContainerOfAnotherUser(_ permissions: String, _ level: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                """
                chmod 755 .; mkdir -m \(permissions) c
                exec setpriv --reuid 65534 --clear-groups watch-value doctor --container c
                """)
            let found = result.lines.filter { $0.contains("  container  ") }
            #expect(found.count == 1 && found[0].hasPrefix(level), "\(result.lines)")
            #expect(found.first?.contains("you may only read it") == (permissions == "755"), "\(result.lines)")
        }
    }

    /// The advice does not depend on the container's permissions.
    @Test func anImmutableContainer() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("mkdir c")
            let findings = SystemCallTap.failing(.access, with: .notPermitted) {
                ContainerExamination(sandbox.path("c")).findings()
            }
            #expect(findings.map(\.level) == [.problem])
            #expect(findings.first?.advice?.hasPrefix("sudo chattr -i ") == true, "\(findings)")
        }
    }

    /// A folder that could not be made need not be removed.
    @Test(.enabled(if: getuid() == 0, "only root can be another user"), .needs("setpriv"))
    func aPlaceThatIsClosedIsNotComplainedOfTwice() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                """
                chmod 755 .; mkdir -m 700 closed
                exec setpriv --reuid 65534 --clear-groups watch-value doctor --container closed/c
                """)
            #expect(result.code == 1)
            #expect(result.errors == "")
            #expect(result.output.contains("closed/c cannot be examined: Permission denied; "))
        }
    }

    /// A file's owner has nothing to do with whether the file system has locks.
    @Test(arguments: [
        (Errno.notSupported, Finding.Level.problem, "put the container on a file system that has locks"),
        (.noLocks, .problem, "put the container on a file system that has locks"),
        (.accessDenied, .note, "run it as the owner of the container"),
        (.tooManyOpenFiles, .note, "raise ulimit -n"),
    ])
    func whyALockCannotBeLookedAt(_ error: Errno, _ level: Finding.Level, _ advice: String) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            let findings = SystemCallTap.failing(.flock, with: error) {
                ControlExamination.findings(sandbox.path("groups/default"))
            }
            #expect(findings.map(\.level) == [level])
            #expect(findings.map(\.advice) == [advice])
        }
    }

    @Test func whoHoldsALock() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            let holder = try sandbox.holdLock(of: "v")
            let held = try report(sandbox).findings.filter { $0.subject == "locks" }
            #expect(held.map(\.process) == [holder.identifier])
            try holder.end()
        }
    }

    @Test func whatLiesBesideADirectoryInItsLocksPlaceIsTold() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1; cd groups/default/.groupfile; mkdir w.lock; touch w.9-x.tmp")
            let found = try report(sandbox, code: 1).findings.filter { $0.subject == "leftovers" }
            #expect(found.map { $0.text.hasPrefix("w.9-x.tmp: ") } == [true])
        }
    }

    /// The process that the name gives may be in another namespace. Here its number may belong to another process, or
    /// to none.
    @Test(arguments: ["v.1-x.tmp", "v.99999999-x.tmp"])
    func whoHoldsTheLockLivesAndNobodyElse(_ name: String) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1; touch groups/default/.groupfile/\(name)")
            func isLeft() throws -> Bool { try report(sandbox).findings.contains { $0.subject == "leftovers" } }
            #expect(try isLeft())
            let holder = try sandbox.holdLock(of: "v")
            #expect(try !isLeft())
            try holder.end()
        }
    }

    @Test func aLockHeldByWhoIsStopped() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            let holder = try sandbox.holdLock(of: "v")
            holder.send(SIGSTOP)
            try waitUntil("stop") { try sandbox.run("grep ') T ' /proc/\(holder.identifier)/stat").code == 0 }
            let held = try report(sandbox, code: 1).findings.filter { $0.subject == "locks" }
            #expect(held.map(\.process) == [holder.identifier])
            #expect(held.map(\.level) == ["problem"])
            #expect(held.first?.advice?.contains("kill -CONT \(holder.identifier)") == true)
            holder.send(SIGKILL)
            _ = try holder.result()
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root can be another user"), .needs("setpriv"))
    func whatOnlyAnotherMayRead() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("chmod 755 . && watch-value set v 1 && chmod 755 groups && chmod 700 groups/default")
            let result = try sandbox.run("setpriv --reuid 65534 --clear-groups watch-value doctor")
            #expect(result.code == 1)
            #expect(result.errors == "")
            for part in ["container", "max_user_watches", "cannot list the container"] {
                #expect(result.output.contains(part), "\(result.output)")
            }
        }
    }
}
