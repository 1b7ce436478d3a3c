import Foundation
import TestSupport
import Testing

@Suite struct ShellTests {
    @Test(arguments: [
        "0", "-0", "1.0", "1E5", "12345678901234567890", "9007199254740993", "0.1", "-0.5", "0.30000000000000004",
        "true", "false", "null", #""""#, #""grüße 🎉""#, "[]", "{}", #"{"b":1,"a":[1,2.50]}"#, #"{"a":1,"a":2}"#,
        "1e400",
    ])
    func passesThroughAsWritten(_ json: String) async throws {
        try await Script("watch-value set v '\(json)' && watch-value get v && watch-value v -n1", "\(json)\n\(json)\n")
            .check()
    }

    @Test(arguments: [
        Script("watch-value set v '{ \"b\" : 1,\n\"a\": [ ] }'; cat groups/default/v", "{ \"b\" : 1,\n\"a\": [ ] }\n"),
        Script("watch-value set v - ; cat groups/default/v", input: "\u{FEFF} [1,\n2]\n\n", "[1,\n2]\n"),
        Script("watch-value set --string v - ; watch-value get v", input: "two\nlines\n", "\"two\\nlines\"\n"),
        Script("watch-value set --string v 'a \"b\"'; watch-value get v", #""a \"b\"""# + "\n"),
        Script("watch-value set --string v $'a\\n'; watch-value get v", #""a\n""# + "\n"),
        Script("watch-value set v '{\"a\":null}'; watch-value get v --at .a", "null\n"),
        Script("watch-value set --string v -- -x; watch-value get -r v", "-x\n"),
        Script("watch-value set v -- -7; watch-value get v", "-7\n"),
        Script("watch-value set v -.5", code: 65, error: "VALUE: 1:2: "),
        Script("watch-value set v 1; watch-value set v 2 --durability relaxed; watch-value get v", "2\n"),
        Script("watch-value set v 2 --durability=durable; watch-value get v", "2\n"),
        Script("watch-value set v 2 --durability consistent; watch-value get v", "2\n"),
        Script("printf '\\xEF\\xBB\\xBF[1]' > f; watch-value get ./f", "[1]\n"),
        Script("watch-value set ./f.json 1; cat f.json; ls -A .groupfile", "1\nf.json.lock\n"),
        Script("watch-value set ./.rc 1; watch-value get ./.rc", "1\n"),
        Script("watch-value set v '[\"é\\n\"]' && watch-value get v --at '.[0]' -r", "é\n\n"),
        Script(
            #"watch-value set v '{"a":[1,{"b":"x"}]}'; watch-value get v --pretty"#,
            """
            {
              "a": [
                1,
                {
                  "b": "x"
                }
              ]
            }

            """),
        Script(
            #"watch-value set v '{"a":{"odd key":[1,2.50]}}'; watch-value get --at '.a["odd key"][-1]' v"#, "2.50\n"),
    ])
    func getAndSet(_ script: Script) async throws { try await script.check() }

    @Test(arguments: [
        Script(
            "watch-value -g a set v 1; watch-value --group=b set v 2; watch-value get v -ga; watch-value get -g b v",
            "1\n2\n"),
        Script(
            #"a=$(printf '\314\201'); watch-value --group="${a}x" set v 1; watch-value get -g"${a}x" v"#, "1\n"),
        Script("WATCH_VALUE_GROUP=a watch-value set v 1; cat groups/a/v", "1\n"),
        Script("WATCH_VALUE_GROUP= watch-value set v 1; cat groups/default/v", "1\n"),
        Script("WATCH_VALUE_GROUP=a watch-value set -g b v 1; cat groups/b/v", "1\n"),
        Script("watch-value --container here set v 1; cat here/v", "1\n"),
        Script("WATCH_VALUE_GROUP=a watch-value --container here set v 1; ls", "here\n"),
        Script(
            "unset GROUP_CONTAINERS; XDG_DATA_HOME=$PWD/x watch-value set v 1; cat x/group-containers/default/v", "1\n"),
        Script(
            "unset GROUP_CONTAINERS; HOME=$PWD watch-value set v 1; cat .local/share/group-containers/default/v", "1\n"),
        Script("GROUP_CONTAINERS= HOME=$PWD watch-value set v 1; cat .local/share/group-containers/default/v", "1\n"),
        Script("unset GROUP_CONTAINERS; HOME= watch-value get v", code: 66, error: "HOME"),
        Script("cd /; watch-value --container \"$OLDPWD\" path x | grep -c \"^$OLDPWD/x$\"", "1\n"),
        Script(
            "watch-value path | grep -c '/groups/default$'; watch-value path v | grep -c '/groups/default/v$'", "1\n1\n"
        ),
        Script("watch-value --container / path x", "/x\n"),
        Script("watch-value path ./a/b | grep -c \"^$PWD/a/b$\"", "1\n"),
        Script("watch-value path ./a/", code: 64, error: "./a/: it names a directory; name a file in it"),
        Script(
            "watch-value set b 1; watch-value set a 2; mkdir groups/default/dir; ln -s a groups/default/l; watch-value list",
            "a\nb\n"),
        Script("mkdir empty; watch-value list --container empty"),
    ])
    func places(_ script: Script) async throws { try await script.check() }

    @Test func aValueOfTheGreatestSize() async throws {
        try await Script(
            """
            (printf '"'; head -c 16777214 /dev/zero | tr '\\0' x; printf '"') > f
            watch-value set v - < f && (cat f; echo) | cmp - <(watch-value get v)
            watch-value update v -- cat f; stat -c %s groups/default/v
            """, "16777216\n"
        ).check()
    }

    @Test(arguments: [
        ("", ["A NAME with a / in it is the path of any JSON file, to which -g and --container do not apply"]),
        ("set", ["regardless of the group (neither applies to paths)"]),
        ("", ["124 timeout; 126 COMMAND cannot be run; 127 COMMAND not found; 128+n"]),
        ("watch", ["queue", "restart", "skip", "auto", "always", "never"]),
        (
            "watch",
            [
                "(on however many lines; health is not counted)",
                "in a process group of its own, so it cannot read from the terminal",
            ]
        ),
        ("set", ["relaxed", "consistent", "durable", "with --string leaves out one final newline"]),
        ("update", ["relaxed", "consistent", "durable", "print JSON, the value stays, too, and the exit code is 65"]),
        ("update", ["WATCH_VALUE_LOCK,", "WATCH_VALUE_LOCK_HOLDERS,", "is replaced meanwhile, COMMAND runs again"]),
        ("list", ["auto", "always", "never"]),
    ])
    func helpTells(_ command: String, _ parts: [String]) async throws {
        try await Sandbox.run { sandbox throws in
            let help = try sandbox.run("watch-value \(command) --help").output
            let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            for part in parts { #expect(words.contains(part), "\(help)") }
        }
    }

    @Test(.enabled(if: getuid() != 0 || Tools.has("setpriv"), "setpriv is not installed"))
    func permissionIsTold() async throws {
        try await Sandbox.run { sandbox in
            let other = getuid() == 0 ? "setpriv --reuid 65534 --clear-groups " : ""
            try sandbox.run("chmod 755 . && echo 1 > f && chmod 0 f && mkdir d && echo 1 > d/v && chmod 555 d")
            try sandbox.run("mkdir closed && echo 3 > closed/x && ln -s closed/x l && chmod 0 closed")
            for words in [
                "get ./f", "set ./d/v 2", "set --container d v 2", "get ./closed/x", "get ./l", "set ./closed/x 1",
                "set ./l 1", "remove ./l", "update ./l -- cat",
            ] {
                let result = try sandbox.run("\(other)watch-value \(words)")
                #expect(result.code == 77, "\(words): \(result.errors)")
                #expect(result.errors.hasPrefix("watch-value: "))
            }
        }
    }

    /// A value that cannot be examined for a while is not missing, and COMMAND does not run for it.
    @Test(.enabled(if: getuid() != 0 || Tools.has("setpriv"), "setpriv is not installed"))
    func whatMayNotBeLookedAtBehindALinkIsNotMissing() async throws {
        try await Sandbox.run { sandbox in
            let other = getuid() == 0 ? "setpriv --reuid 65534 --clear-groups " : ""
            try sandbox.run("chmod 755 . && mkdir closed && echo 3 > closed/x && chmod 755 closed && ln -s closed/x l")
            let events = try sandbox.start("exec \(other)watch-value ./l --events")
            try events.expectLines(1)
            let runs = try sandbox.start("exec \(other)watch-value ./l -n2 -- jq -c .")
            try runs.expectLines(1)
            try sandbox.run("chmod 0 closed")
            try events.expectOutput(#""invalid""#)
            #expect(try sandbox.run("\(other)watch-value wait ./l --for '!= 3' --timeout 200ms").code == 124)
            try sandbox.run("chmod 755 closed; echo 4 > closed/x")
            #expect(try runs.result().output == "3\n4\n")
            try events.expectOutput(#""value":4"#)
            #expect(try !events.end().output.contains("missing"))
        }
    }

    /// The first user's `.groupfile` is his alone, wherever others may write beside it. This holds even where another
    /// user owns the directory and would shut him out by taking `.groupfile` over.
    @Test(
        .enabled(if: getuid() == 0, "only root can be another user"),
        .needs("setpriv"), arguments: ["1777", "777", "775"], [0, 61012])
    func G10_anothersControlDirectoryIsNamed(mode: String, owner: Int) async throws {
        try await Sandbox.run { sandbox in
            func by(_ user: Int, _ words: String) throws -> RunningScript.Result {
                try sandbox.run(
                    "exec setpriv --reuid \(user) --regid \(user) --groups 61010,\(user) watch-value \(words)")
            }
            try sandbox.run("chmod 755 .; mkdir d; chown \(owner):61010 d; chmod \(mode) d")
            #expect(try by(61011, "set ./d/a 1").code == 0)
            let (directory, control) = (sandbox.path("d"), sandbox.path("d/.groupfile"))
            let command = "chgrp 61010 '\(control)'; chmod 2770 '\(directory)' '\(control)'"
            let cause = "\(control) belongs to user 61011 alone"
            let cure =
                mode == "775"
                ? "share the directory with its group (\(command)), or keep values in a directory of your own"
                : "keep values in a directory of your own, or in one that is shared with a group (mode 2770)"
            for words in ["set ./d/b 1", "--container d set b 1"] {
                let refused = try by(61012, words)
                #expect(refused.code == 77)
                #expect(refused.errors.contains("b: cannot lock the value in .groupfile: Permission denied; "))
                #expect(refused.errors.hasSuffix("; \(cause): \(cure)\n"), "\(refused.errors)")
            }
            let found = try by(61012, "doctor --container d")
            #expect(found.lines.filter { $0.contains(cause) && $0.hasPrefix("problem  locks  ") }.count == 1)
            #expect(found.lines.contains { $0.hasSuffix("; \(cure)") }, "\(found.lines)")
            if mode != "775" { return }
            try sandbox.run(command)
            #expect(try by(61012, "set ./d/b 1").code == 0)
        }
    }

    /// Sharing the directory would not help a user who has only read access, and would shut out all others who have it.
    @Test(.enabled(if: getuid() == 0, "only root can be another user"), .needs("setpriv"))
    func G10_whoCanOnlyLookIsToldSo() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("umask 022; chmod 755 .; mkdir d; echo 1 > d/v; watch-value set ./d/v 2")
            let directory = sandbox.path("d")
            let looker = "exec setpriv --reuid 61012 --regid 61012 --clear-groups watch-value"
            let refused = try sandbox.run("\(looker) set ./d/v 3")
            #expect(refused.code == 77)
            #expect(
                refused.errors.hasSuffix(
                    " alone: you have only read access to \(directory); keep your values in a directory of your own\n"),
                "\(refused.errors)")
            let found = try sandbox.run("\(looker) doctor --container d")
            #expect(found.code == 0 && found.output.contains("cannot be listed"), "\(found.lines)")
            #expect(try sandbox.run("\(looker) get ./d/v").output == "2\n")
        }
    }

    /// Something else in place of a lock file, or of the directory for locks.
    @Test(arguments: [
        ("rm -r c/.groupfile; echo > c/.groupfile", ".groupfile is not a directory"),
        ("rm c/.groupfile/v.lock; mkfifo c/.groupfile/v.lock", ".groupfile/v.lock is not a file"),
        ("rm c/.groupfile/v.lock; mkdir c/.groupfile/v.lock", ".groupfile/v.lock is not a file"),
        ("rm c/.groupfile/v.lock; ln -s ../v c/.groupfile/v.lock", ".groupfile/v.lock is not a file"),
        ("echo text > notes; ln -f notes c/.groupfile/v.lock", ".groupfile/v.lock is a hard link of another file"),
    ])
    func whatIsInPlaceOfALockIsNamed(preparation: String, cause: String) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value --container c set v 1; \(preparation)")
            let refused = try sandbox.run("watch-value --container c set v 2")
            #expect(refused.code == 74)
            #expect(refused.errors.contains(" \(sandbox.path("c"))/\(cause): move it away; "), "\(refused.errors)")
            #expect(try sandbox.text("c/v") == "1\n")
        }
    }

    /// The doctor also reports what could not be locked.
    @Test(.enabled(if: getuid() == 0, "only root can be another user"), .needs("setpriv"))
    func G10_aControlDirectoryThatIsClosedToItsGroupIsNamed() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run(
                """
                chmod 755 .; watch-value --container c set v 1; chown -R 61011:61010 c
                chmod 2770 c; chmod 2750 c/.groupfile; chmod 660 c/v
                """)
            func by(_ words: String) throws -> RunningScript.Result {
                try sandbox.run(
                    "exec setpriv --reuid 61012 --regid 61010 --clear-groups watch-value --container c \(words)")
            }
            let cause = "\(sandbox.path("c"))/.groupfile belongs to user 61011 alone"
            let refused = try by("set v 2")
            #expect(refused.code == 77 && refused.errors.contains(cause), "\(refused.errors)")
            #expect(try by("doctor").lines.filter { $0.hasPrefix("problem  locks") && $0.contains(cause) }.count == 1)
        }
    }

    /// An owner who has closed a lock to himself has it opened again.
    @Test(.enabled(if: getuid() == 0, "nothing is closed to root"), .needs("setpriv"))
    func aLockThatIsClosedToItsOwnerIsOpened() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                """
                chmod 755 .; watch-value --container c set v 1; chown -R 61011 c; chmod 400 c/.groupfile/v.lock
                exec setpriv --reuid 61011 --clear-groups watch-value --container c set v 2
                """)
            #expect(result.code == 0, "\(result.errors)")
            #expect(try sandbox.run("stat -c %a c/.groupfile/v.lock").output == "600\n")
        }
    }

    /// A value was written before the directory was shared. A user who follows the advice in the error can change the
    /// value, and so can its owner.
    @Test(.enabled(if: getuid() == 0, "only root can be another user"), .needs("setpriv"), arguments: ["d", "it's"])
    func G10_whatToDoAboutAnothersLockIsTold(name: String) async throws {
        try await Sandbox.run { sandbox in
            func by(_ user: Int, _ words: String) throws -> RunningScript.Result {
                try sandbox.run(
                    "exec setpriv --reuid \(user) --regid \(user) --groups 61010,\(user) "
                        + "watch-value --container \"\(name)\" \(words)")
            }
            func command(in text: String) throws -> Substring {
                try #require(text.firstMatch(of: /group \((.*)\)/), "\(text)").1
            }
            try sandbox.run("chmod 755 .; mkdir \"\(name)\"; chgrp 61010 \"\(name)\"; chmod 775 \"\(name)\"")
            #expect(try by(61011, "set v 1").code == 0)
            try sandbox.run("\(try command(in: by(61012, "set v 2").errors))")

            let cause = "\(sandbox.path(name))/.groupfile/v.lock belongs to user 61011 alone"
            let refused = try by(61012, "set v 2")
            #expect(refused.code == 77)
            #expect(refused.errors.contains("; \(cause): "), "\(refused.errors)")
            let found = try by(61012, "doctor").lines.filter { $0.hasPrefix("problem  locks  ") }
            #expect(found.count == 1 && found.allSatisfy { $0.contains(cause) }, "\(found)")
            try sandbox.run("\(try command(in: refused.errors))")
            #expect(try by(61012, "update v -- echo 2").errors == "")
            #expect(try by(61011, "update v -- sed s/2/3/").errors == "")
            #expect(try by(61012, "get v").output == "3\n")
        }
    }

    @Test func aLimitOfFileSizesIsNamed() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run(#"printf '"%5000d"' 1 >large"#)
            let commands = [
                "set --string v \"$(cat large)\"", "watch -n1 ./large -- cat", "update ./large -- echo 2",
            ]
            for start in ["", "trap '' XFSZ; "] {
                for command in commands {
                    let result = try sandbox.run("\(start)ulimit -f 1; exec watch-value \(command)")
                    #expect(
                        result.code == 74 && result.errors.contains("raise the limit of file sizes (ulimit -f)"),
                        "\(command): \(result)")
                }
            }
            #expect(try sandbox.run("watch-value list; ls -A groups/default").output == ".groupfile\n")
        }
    }

    /// A user can read and change what root creates in his directory.
    @Test(
        .enabled(if: getuid() == 0, "only root can give files away"),
        .needs("setpriv"),
        arguments: [("755", "61011"), ("700", "61011"), ("775", "61011"), ("777", "0")])
    func G10_whatRootMakesInAUsersDirectoryIsTheUsers(mode: String, owner: String) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("chmod 755 .; mkdir d; chown 61011:61010 d; chmod \(mode) d; watch-value set ./d/v 1")
            try sandbox.run("watch-value set ./d/sub/deep/v 1")
            let owners = try sandbox.run(
                "stat -c %u d/v d/.groupfile d/.groupfile/v.lock d/sub d/sub/deep d/sub/deep/v")
            #expect(owners.lines == Array(repeating: owner, count: 6))
            if owner == "0" { return }
            let changed = try sandbox.run(
                """
                setpriv --reuid 61011 --clear-groups watch-value update ./d/v -- sed s/1/2/
                watch-value set ./d/w 3; setpriv --reuid 61011 --clear-groups watch-value update ./d/w -- sed s/3/4/
                cat d/v d/w; ls d/.groupfile
                """)
            #expect(changed.lines == ["2", "4", "v.lock", "w.lock"], "\(changed)")
        }
    }

    /// Names are bytes, whatever characters they form: this one begins with a mark that combines with the slash.
    @Test(.enabled(if: getuid() == 0, "only root can give files away"))
    func G10_rootGivesTheRightDirectoryAway() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run(
                """
                chmod 755 .; mkdir d d/x; chown 61011 d; name=$(printf 'd/\\314\\201x')
                watch-value set --container "$name" v 1; mv "$name" d/made
                """)
            #expect(try sandbox.run("stat -c %u d/x d/made").lines == ["0", "61011"])
        }
    }

    /// Root does not give away files that were there before, or that are no longer in that user's directory.
    @Test(.enabled(if: getuid() == 0, "only root can give files away"), .needs("setpriv"))
    func G10_rootGivesAwayOnlyWhatItMakes() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run(
                """
                chmod 755 .; mkdir d; chown 61011 d; : > linked; : > moved
                setpriv --reuid 61011 --clear-groups watch-value --container d set v 1
                ln linked d/.groupfile/a.lock; mv moved d/.groupfile/b.lock
                watch-value --container d set a 1; watch-value --container d set b 1
                watch-value update ./d/c -- sh -c 'chown 0 d; echo 1'
                """)
            let owners = try sandbox.run("stat -c %u linked d/.groupfile/b.lock d/c d/a").lines
            #expect(owners == ["0", "0", "0", "61011"])
        }
    }

    /// Files that root's other programs have left in a user's directory.
    @Test(
        .enabled(if: getuid() == 0, "only root can give files away"),
        .needs("setpriv"),
        arguments: [".groupfile", ".groupfile/v.lock"])
    func G10_whatBelongsToRootIsGivenBack(file: String) async throws {
        try await Sandbox.run { sandbox in
            let set = "setpriv --reuid 61011 --clear-groups watch-value --container d set v"
            try sandbox.run("chmod 755 .; mkdir d; chown 61011 d; \(set) 1; chown -R 0:0 d/\(file)")
            let refused = try sandbox.run("exec \(set) 2")
            #expect(refused.code == 77 && refused.errors.contains("\(file) belongs to user 0 alone: "), "\(refused)")
            let command = try #require(refused.errors.firstMatch(of: /owner \(sudo (.*)\)/), "\(refused.errors)").1
            #expect(try sandbox.run("\(command) && exec \(set) 2").errors == "")
        }
    }

    /// The command does not know for whom the container was made, but the directory's mode shows it.
    @Test func G10_aContainerThatAGroupSharesStaysSo() async throws {
        try await Script(
            """
            umask 077; mkdir g; chmod 2770 g; watch-value --container g set v 1
            watch-value set ./g/w 1; watch-value set ./g/s/w 1
            stat -c %a g g/v g/.groupfile g/.groupfile/v.lock g/w g/s g/s/w
            """, "2770\n660\n2770\n660\n660\n2770\n660\n"
        ).check()
    }

    @Test(
        .enabled(if: getuid() == 0, "only another user's threads can be limited by root"),
        .needs("setpriv"),
        arguments: [
            ("set v 2", " to wait for the lock", "; the value is unchanged"), ("update v -- echo 2", "", ""),
        ])
    func aThreadThatIsNotToBeHadIsTold(_ words: String, _ purpose: String, _ stays: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                """
                chmod 755 .; mkdir -p groups/default; echo 1 > groups/default/v; chown -R 61031 groups
                exec timeout -s KILL 60 setpriv --reuid 61031 --regid 61031 --clear-groups \
                    bash -c 'ulimit -u 1; exec watch-value \(words)'
                """)
            #expect(result.code == 74)
            #expect(
                result.errors == "watch-value: v: cannot start a thread\(purpose): Resource temporarily unavailable; "
                    + "try again; there may be too many threads or processes (ulimit -u), or too little memory (ulimit -v)"
                    + "\(stays)\n")
            #expect(try sandbox.text("groups/default/v") == "1\n")
        }
    }

    @Test func contentThatIsNotJSONIsKept() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run("mkdir -p groups/default; echo oops > groups/default/v; watch-value set v 1")
            #expect(result.code == 0)
            #expect(try sandbox.text("groups/default/v") == "1\n")
            #expect(try sandbox.text("groups/default/.groupfile/v.rejected") == "oops\n")
        }
    }

    @Test func lookingLeavesNothingBehind() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run(
                """
                watch-value get v; watch-value get ./a/b; watch-value list; watch-value path; watch-value path v
                watch-value v --timeout 20ms; watch-value ./x/y --timeout 20ms
                watch-value wait v --for . --timeout 20ms; watch-value wait ./x/y --for . --timeout 0; watch-value doctor
                """)
            #expect(try sandbox.everything() == [])
            try sandbox.run(
                """
                mkdir d; echo 1 > d/v; watch-value get ./d/v; watch-value --container d v -n1; watch-value list --container d
                watch-value --container d v -n1 -- cat; watch-value wait ./d/v --for .; watch-value wait --container d v --for .
                watch-value doctor --container d; watch-value path --container d v
                """)
            #expect(try sandbox.everything() == ["d", "d/v"])
        }
    }

    @Test func helpIsThereForEveryCommand() async throws {
        try await Sandbox.run { sandbox in
            let overview = try sandbox.run("watch-value --help")
            #expect(overview.code == 0)
            let commands = overview.lines.filter { $0.hasPrefix("  watch-value ") }.map {
                String($0.split(separator: " ")[1].drop { $0 == "[" }.prefix { $0 != "]" })
            }
            #expect(commands.starts(with: ["watch", "get", "set"]))
            for command in commands {
                let help = try sandbox.run("watch-value \(command) --help")
                #expect(help.code == 0)
                #expect(help.output.contains("watch-value ") && help.output.contains("--help"), "\(command)")
                #expect(help.errors == "")
            }
            #expect(try sandbox.run("watch-value -h").output == overview.output)
            #expect(try sandbox.run("watch-value --version").output.hasPrefix("watch-value "))
        }
    }
}
