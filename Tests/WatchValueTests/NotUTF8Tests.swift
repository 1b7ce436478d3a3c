import Testing

/// Bytes that are not UTF-8 are passed on unchanged, or refused. They are never repaired, because that would make
/// another name.
@Suite struct NotUTF8Tests {
    /// The command fails before it does anything, and creates nothing.
    @Test(arguments: [
        (#"set ./$'n\xfd.json' 1"#, 64, #"the argument "./n\xfd.json" is not UTF-8"#),
        (#"set $'n\xfd' 1"#, 64, #""n\xfd""#), (#"set v 1 $'\xff'"#, 64, #""\xff""#),
        (#"set v 1 -g $'\xff'"#, 64, #""\xff""#), (#"set v 1 -g$'\xff'"#, 64, #""-g\xff""#),
        (#"set v 1 --container=$'\xff'"#, 64, #""--container=\xff""#), (#"set v $'-\xff'"#, 64, #""-\xff""#),
        (#"set -- $'\xff' 1"#, 64, #""\xff""#), (#"get v --at $'.\xff'"#, 64, #"".\xff""#),
        (#"watch $'\xff' -n1"#, 64, #""\xff""#), (#"update $'\xff' -- cat"#, 64, #""\xff""#),
        (#"-- $'\xff' -- cat"#, 64, #""\xff""#), (#"$'\xff' --help"#, 64, #""\xff""#),
        (#"set v $'"\xe9t\xe9"'"#, 65, "VALUE: it is not UTF-8"),
        (#"set --string v $'\xff'"#, 65, "VALUE: it is not UTF-8"),
        (#"set v --timeout $'\xff' 1"#, 64, #"the argument "\xff" is not UTF-8"#),
        (#"set v -- $'\xff'"#, 65, "VALUE: it is not UTF-8"), (#"set -- v $'\xff'"#, 65, "VALUE: it is not UTF-8"),
    ])
    func arguments(_ words: String, _ code: Int32, _ error: String) async throws {
        try await Script("watch-value \(words); code=$?; ls -A; exit $code", code: code, error: error).check()
    }

    @Test(arguments: [
        Script(#"printf 2 > $'f\xfc'; watch-value update v -- cat $'f\xfc'; watch-value get v"#, "2\n"),
        Script(#"watch-value set v 1; watch-value v -n1 -- printf '%s' $'\xfe' -- | od -An -tx1"#, " fe 2d 2d\n"),
        Script(#"watch-value set v 1; watch-value -n1 -- v -- printf '%s' $'\xfe' | od -An -tx1"#, " fe\n"),
        Script(#"watch-value set v 1; V=$'\xfe' watch-value v -n1 -- printenv V | od -An -tx1"#, " fe 0a\n"),
        Script(#"watch-value update v -- $'no\xff'"#, code: 127, error: "there is no command no\u{FFFD}"),
    ])
    func COMMANDGetsItsBytes(_ script: Script) async throws { try await script.check() }

    @Test(arguments: [
        ("path ./a", 74, "watch-value: ./a: the path of the current directory is not UTF-8; name one that is\n"),
        ("path --container .", 74, "watch-value: the path of the current directory is not UTF-8; name one that is\n"),
        (#"GROUP_CONTAINERS=$PWD"#, 64, "watch-value: GROUP_CONTAINERS is not UTF-8"),
        (#"GROUP_CONTAINERS= XDG_DATA_HOME=$PWD"#, 64, "watch-value: XDG_DATA_HOME is not UTF-8"),
        (#"GROUP_CONTAINERS= HOME=$PWD"#, 64, "watch-value: HOME is not UTF-8"),
        (#"WATCH_VALUE_GROUP=$'\xfe'"#, 64, "WATCH_VALUE_GROUP is not UTF-8"),
    ])
    func places(_ words: String, _ code: Int32, _ error: String) async throws {
        let command = words.contains("=") ? "\(words) watch-value set a 1" : "watch-value \(words)"
        let script = #"mkdir $'d\xff'; cd $'d\xff'; \#(command); code=$?; ls -A . .. | od -An -c; exit $code"#
        // As od prints it: the names of the two folders, and that of the only folder in the second.
        let nothing = "   .   :  \\n  \\n   .   .   :  \\n   d 377  \\n\n"
        try await Script(script, nothing, code: code, error: error).check()
    }

    /// Where the path of the value is UTF-8, the path of the current directory does not matter.
    @Test(arguments: [
        Script(#"mkdir $'d\xff'; cd $'d\xff'; watch-value set v 1; watch-value get v; ls -A"#, "1\n"),
        Script(
            #"mkdir $'d\xff'; cd $'d\xff'; watch-value set "$OLDPWD/f" 1; watch-value "$OLDPWD/f" -n1; ls -A"#, "1\n"),
        Script(#"HOME=$'\xff' XDG_DATA_HOME=$'\xff' watch-value set v 1; watch-value get v"#, "1\n"),
        Script(#"mkdir $'d\xff'; cd $'d\xff'; watch-value set ./f 1; watch-value ./f -n1; cat f; ls"#, "1\n1\nf\n"),
        Script(
            #"mkdir $'d\xff'; cd $'d\xff'; watch-value set --container . v 1; watch-value --container . list"#, "v\n"),
        Script(
            #"mkdir $'d\xff'; cd $'d\xff'; export GROUP_CONTAINERS=.; watch-value set v 1; cat default/v; watch-value get v"#,
            "1\n1\n"),
        Script(#"WATCH_VALUE_GROUP=$'\xff' watch-value set -g default v 1; watch-value get v"#, "1\n"),
    ])
    func otherPlaces(_ script: Script) async throws { try await script.check() }

    /// A link that leads to such a name is neither followed to another name nor replaced.
    @Test(arguments: [
        "get ./l", "set ./l 6", "update ./l -- cat", "remove ./l", "set ./l2 6", "get ./l2", "set ./dl/v 6",
        "set --container dl v 6",
        "update --container dl v -- cat", "remove --container dl v",
    ])
    func links(_ words: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                #"""
                printf 5 > $'\xff.json'; ln -s $'\xff.json' l; ln -s l l2; mkdir $'d\xff'; printf 7 > $'d\xff/v'
                ln -s $'d\xff' dl; timeout 60 watch-value \#(words); code=$?
                cat $'\xff.json' $'d\xff/v'; ls -A | wc -l; ls -A $'d\xff' | wc -l; ls $'\xef\xbf\xbd'* 2> /dev/null; exit $code
                """#)
            #expect(result.code == 74, "\(result.errors)")
            #expect(result.errors.contains("a name in the path is not UTF-8"), "\(result.errors)")
            #expect(result.output == "575\n1\n")
        }
    }

    /// A watching command reports the name, and sees what the link leads to next.
    @Test(arguments: [("wait ./l --for .", ""), ("./l -n1", "6\n"), ("./l -n1 -- cat", "6\n")])
    func watchedLinks(_ words: String, _ output: String) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run(#"printf 5 > $'\xff.json'; ln -s $'\xff.json' l; printf 6 > good"#)
            let watch = try sandbox.watch(words)
            try watch.expectError("a name in the path is not UTF-8")
            try sandbox.run("ln -sfn good l")
            let result = try watch.result()
            #expect(result.code == 0)
            #expect(result.output == output)
        }
    }

    /// A command that cannot say which locks are held could wait for itself.
    @Test func heldLocks() async throws {
        try await Script(
            #"WATCH_VALUE_LOCK=$'\xfe' watch-value set ./a 1; code=$?; ls; exit $code"#, code: 64,
            error: "WATCH_VALUE_LOCK is not UTF-8"
        ).check()
    }

    /// In text for people the name may be repaired.
    @Test func doctorTellsOfALinkThatLeadsNowhere() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(#"ln -s $'\xff' l; watch-value doctor --container l"#)
            #expect(result.output.contains("/l is a symbolic link to \u{FFFD}, which does not exist"))
        }
    }

    @Test func namesAreLeftOut() async throws {
        try await Script(
            #"""
            watch-value set a 1; cd groups/default; printf 2 > $'\xff'; printf 3 > $'\xef\xbf\xbd'; watch-value list
            """#, "a\n\u{FFFD}\n"
        ).check()
    }
}
