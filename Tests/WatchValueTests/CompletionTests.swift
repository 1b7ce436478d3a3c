import TestSupport
import Testing

@Suite struct CompletionTests {
    @Test(arguments: ["bash", "zsh", "fish"])
    func load(_ shell: String) async throws {
        try await Sandbox.run { sandbox in
            let script = try sandbox.run("watch-value completions \(shell)")
            #expect(script.code == 0)
            for word in ["update", "fail-when", "durable", "restart"] { #expect(script.output.contains(word)) }
            guard Tools.has(shell) else { return }
            let load =
                switch shell {
                case "bash": "source <(watch-value completions bash)"
                case "zsh": "autoload -U compinit; compinit -D; source <(watch-value completions zsh)"
                default: "watch-value completions fish | source"
                }
            let result = try sandbox.run("exec \(shell) -c '\(load)'")
            #expect(result.code == 0)
            #expect(result.errors == "")
        }
    }

    @Test func wantAShell() async throws {
        try await Script("watch-value completions tcsh", code: 64, error: "bash, zsh, fish").check()
        try await Script("watch-value completions", code: 64, error: "completions bash|zsh|fish").check()
    }

    /// What a shell on a terminal makes of a line that ends with Tab and Enter: the words that the command receives.
    private func words(
        _ line: String, in shell: String, _ sandbox: Sandbox, values: [String] = ["volume", "settings"],
        load: String = ""
    ) throws -> [String] {
        for value in values { try sandbox.run("IFS= read -r name; watch-value set -- \"$name\" 1", input: value) }
        try sandbox.run(
            """
            watch-value --container here set other 3; watch-value --container 'odd place' set odder 4
            watch-value -g more set our 5; touch here/great
            {
              echo 'unset HISTFILE; PS1=; shown() { printf "<%s>\\n" "$@" > shown; }'
              case \(shell) in
              bash) echo 'source <(watch-value completions bash); complete -F _watch_value shown' ;;
              zsh) echo 'autoload -U compinit; compinit -D; source <(watch-value completions zsh)
                bindkey -e; compdef _watch_value shown' ;;
              esac
              cat
            } > .\(shell)rc
            """, input: load)
        let start = shell == "bash" ? "bash --noprofile --rcfile .bashrc -i" : "ZDOTDIR=$PWD zsh -d -i"
        try sandbox.run("HOME=$PWD TERM=dumb script -qec '\(start)' /dev/null", input: "shown \(line)\t\nexit\n")
        return try sandbox.run("cat shown").lines.map { String($0.dropFirst().dropLast()) }
    }

    @Test(
        .needs("script"),
        arguments: [
            ("ge", ["get"]), ("get vol", ["get", "volume"]), ("get --at", ["get", "--at"]),
            ("set volume 1 --durability con", ["set", "volume", "1", "--durability", "consistent"]),
            ("set volume 1 --durability=con", ["set", "volume", "1", "--durability=consistent"]),
            ("completions z", ["completions", "zsh"]), ("-n1 vol", ["-n1", "volume"]),
            ("set v 1 --tim", ["set", "v", "1", "--timeout"]), ("get --tim", ["get", "--tim"]),
            ("--container here get o", ["--container", "here", "get", "other"]),
            ("--container=here get o", ["--container=here", "get", "other"]),
            ("get --container=here o", ["get", "--container=here", "other"]),
            ("--container \"odd place\" get o", ["--container", "odd place", "get", "odder"]),
            ("--container=odd\\ place get o", ["--container=odd place", "get", "odder"]),
            ("--container ~/here get o", ["--container", "$PWD/here", "get", "other"]),
            ("--container $HOME/here get o", ["--container", "$PWD/here", "get", "other"]),
            ("-g mo", ["-g", "more"]), ("get --group de", ["get", "--group", "default"]),
            ("get --group=mo", ["get", "--group=more"]), ("get -g \"mo", ["get", "-g", "more"]),
            ("get --group=de vol", ["get", "--group=de", "vol"]), ("get --container=he", ["get", "--container=here/"]),
            ("-gmore get o", ["-gmore", "get", "our"]), ("get -- vol", ["get", "--", "volume"]),
            ("get volume set", ["get", "volume", "set"]), ("set volume set", ["set", "volume", "set"]),
            ("watch volume set", ["watch", "volume", "settings"]), ("volume set", ["volume", "settings"]),
            ("path --group default vol", ["path", "--group", "default", "volume"]),
            ("completions bash z", ["completions", "bash", "z"]),
            ("volume -- watch-val", ["volume", "--", "watch-value"]),
            ("-- volume -- watch-val", ["--", "volume", "--", "watch-value"]),
            ("--at=.a:b volume -- cat here/gr", ["--at=.a:b", "volume", "--", "cat", "here/great"]),
            ("update --timeout get volume -- cat her", ["update", "--timeout", "get", "volume", "--", "cat", "here/"]),
        ])
    func line(_ line: String, _ words: [String]) async throws {
        for shell in ["bash", "zsh"] where Tools.has(shell) {
            try await Sandbox.run { sandbox throws in
                // Zsh removes the slash after a directory when nothing follows.
                let shown = words.map { shell == "zsh" && $0.hasSuffix("here/") ? String($0.dropLast()) : $0 }
                    .map { $0.replacing("$PWD/here", with: sandbox.path("here")) }
                #expect(try self.words(line, in: shell, sandbox) == shown, "\(shell)")
            }
        }
    }

    /// Behind `--`, the command line is completed by COMMAND's own completion.
    @Test(.needs("script"))
    func theCommandsOwnCompletion() async throws {
        let loads = [
            "bash": """
            [[ ! -e /usr/share/bash-completion/bash_completion ]] || . /usr/share/bash-completion/bash_completion
            declare -F _command_offset >/dev/null || _command_offset() { COMPREPLY=(own); }
            _own() { COMPREPLY=(own); }; complete -F _own mine
            """, "zsh": "_own() { compadd own; }; compdef _own mine",
        ]
        for (shell, load) in loads where Tools.has(shell) {
            try await Sandbox.run { sandbox in
                let words = try self.words("--at=.a volume -- mine o", in: shell, sandbox, load: load)
                #expect(words == ["--at=.a", "volume", "--", "mine", "own"], "\(shell)")
            }
        }
    }

    /// Anybody who may write to the container chooses its names.
    @Test(
        .needs("script"),
        arguments: [
            ("$(touch${IFS}pwned)", ""), ("$(touch${IFS}pwned)", "\\$"), ("`touch pwned`", ""), ("*", ""), ("a b", ""),
            ("a b", "a"), ("a b", "a\\ "), ("a b", "\"a "), ("a b", "'a"), ("it's \"one\"", "it"), ("~", ""),
            ("a;b", "a"),
            ("user@host", "user@ho"), ("a:b=c", "a:b="), ("a\\b", ""), ("größe", "gr"), ("{a,b}", ""),
        ])
    func names(_ name: String, _ start: String) async throws {
        for shell in ["bash", "zsh"] where Tools.has(shell) {
            try await Sandbox.run { sandbox in
                let words = try self.words("get \(start)", in: shell, sandbox, values: [name])
                #expect(words == ["get", name], "\(shell)")
                #expect(try !sandbox.everything().contains("pwned"))
            }
        }
    }

    /// A name that would be taken for an option is not offered.
    @Test(.needs("script"))
    func namesThatLookLikeOptions() async throws {
        for shell in ["bash", "zsh"] where Tools.has(shell) {
            try await Sandbox.run { sandbox in
                let words = try self.words("get ", in: shell, sandbox, values: ["-n", "volume"])
                #expect(words == ["get", "volume"], "\(shell)")
            }
        }
    }

    @Test(
        .needs("fish"),
        arguments: [
            ("get vol", ["volume"]), ("--container here get o", ["other"]), ("get --container=here o", ["other"]),
            ("get --container ~/here o", ["other"]), ("get --container \\$HOME/here o", ["other"]),
            ("get --container 'odd place' o", ["odder"]), ("get -g more o", ["our"]), ("-gmore get o", ["our"]),
            ("doctor --container here o", []), ("get oth", []), ("get here/oth", ["here/other"]), ("list ", []),
            ("get -- vol", ["volume"]), ("-- volume -- watch-val", ["watch-value"]),
            ("update -g more our -- mine --ow", ["--own"]), ("get --co", ["--container"]), ("doctor --js", ["--json"]),
            ("remove --pl", []), ("--container here --pl", ["--plot"]), ("set v 1 --durability co", ["consistent"]),
            ("volume --pl", ["--plot"]), ("completions z", ["zsh"]), ("-g set ge", ["get"]), ("volume ge", []),
            ("get volume vol", []), ("set volume vol", []), ("watch other vol", ["volume"]), ("other vol", ["volume"]),
            ("completions bash z", []), ("-g mo", ["more"]), ("get --group=mo", ["--group=more"]),
        ])
    func fish(_ line: String, _ words: [String]) async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                #"""
                watch-value set volume 1; watch-value set other 2 --container here; watch-value set -g more our 3
                watch-value set odder 4 --container 'odd place'; watch-value completions fish > load
                export HOME=$PWD; exec fish -c "source load; complete -c mine -l own; complete -C \"watch-value $LINE\""
                """#.replacing("$LINE", with: line))
            #expect(result.lines.map { $0.prefix { $0 != "\t" } } == words.map { $0[...] })
            #expect(result.errors == "")
        }
    }

    @Test(.needs("fish"))
    func fishTakesNamesForText() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                #"""
                watch-value set '$(touch${IFS}pwned)' 1; watch-value set '(touch pwned)' 1; watch-value set 'a b' 1
                watch-value set -- -n 1; watch-value completions fish > load
                exec fish -c 'source load; complete -C "watch-value get "'
                """#)
            #expect(!result.lines.contains("-n"))
            for name in ["$(touch${IFS}pwned)", "(touch pwned)", "a b"] { #expect(result.lines.contains(name)) }
            #expect(try !sandbox.everything().contains("pwned"))
        }
    }
}
