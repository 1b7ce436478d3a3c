import Testing

/// What the arguments mean, and the messages about arguments, or things that they name, which are not as they should
/// be.
@Suite struct UsageTests {
    @Test(arguments: [
        Script("watch-value set v '\"s\"'; watch-value watch -rn1 v", "s\n"),
        Script("watch-value set v '\"s\"'; watch-value watch v -rn 1", "s\n"),
        Script("watch-value set v 1; watch-value v --count=1", "1\n"),
        Script("watch-value set v 1; watch-value -n1 -- v", "1\n"),
        Script(#"watch-value v --events -n1 | grep -o '"event":"[a-z]*"'"#, #""event":"missing""# + "\n"),
        Script("watch-value set get 1; watch-value -n1 -- get", "1\n"),
        Script("watch-value set watch 1; watch-value watch watch -n1", "1\n"),
        Script("watch-value -- ", code: 64, error: "name a value"),
        Script("watch-value", code: 64, error: "watch-value --help"),
        Script("watch-value get", code: 64, error: "get NAME"),
        Script("watch-value get a b", code: 64, error: "\"b\""),
        Script("watch-value set a", code: 64, error: "set NAME VALUE|-"),
        Script("watch-value list a", code: 64, error: "too many words"),
        Script("watch-value get --pretyt a", code: 64, error: "did you mean --pretty?"),
        Script("watch-value get --containr=x a", code: 64, error: "did you mean --container?"),
        Script("watch-value get -x a", code: 64, error: "no option -x"),
        Script("watch-value watch a -timeout 5s", code: 64, error: "no option -timeout; did you mean --timeout?"),
        Script("watch-value get a -container=d", code: 64, error: "no option -container; did you mean --container?"),
        Script("watch-value get a -rx", code: 64, error: "no option -x"),
        Script("watch-value wait a -t 5", code: 64, error: "no option -t; did you mean --timeout?\n"),
        Script("watch-value wait a -timout 5", code: 64, error: "no option -t; did you mean --timeout?\n"),
        Script("watch-value list -l", code: 64, error: "no option -l; did you mean --live?\n"),
        Script("watch-value get -r- a", code: 64, error: "no option --; see watch-value --help\n"),
        Script("watch-value -V", code: 64, error: "no option -V; did you mean --version?\n"),
        Script("watch-value a -p", code: 64, error: "no option -p; see watch-value --help\n"),
        Script(
            "watch-value set --string v -t", code: 64,
            error: "no option -t; if -t is VALUE, put -- before it; did you mean --timeout?\n"),
        Script("watch-value get a --zzzzzzzzzz", code: 64, error: "--help"),
        Script("watch-value get a --count 1", code: 64, error: "belongs to watch"),
        Script("watch-value get a --raw=yes", code: 64, error: "takes no value"),
        Script("watch-value get a --at", code: 64, error: "--at needs PATH"),
        Script("watch-value get a --at b", code: 64, error: "column 1"),
        Script("watch-value get a --at .b --at .c", code: 64, error: "watch-value: --at was given twice\n"),
        Script("watch-value get a --at ''", code: 64, error: "watch-value: --at \"\": column 1"),
        Script("watch-value watch a -n 0", code: 64, error: "count"),
        Script("watch-value watch a -n x", code: 64, error: "count"),
        Script("watch-value watch a --on-busy", code: 64, error: "restart"),
        Script("watch-value a --on-busy -- cat", code: 64, error: "watch-value: --on-busy needs HOW: on a change"),
        Script("watch-value a --timeout -- cat", code: 64, error: "watch-value: --timeout needs TIME: give up"),
        Script("watch-value get a -g=b", code: 64, error: "watch-value: -g=b: write -g b, or --group=b\n"),
        Script("watch-value a -rn=1", code: 64, error: "watch-value: -rn=1: write -n 1, or --count=1\n"),
        Script("watch-value a --", code: 64, error: "name a COMMAND after --; the usage is watch-value [watch] NAME"),
        Script("watch-value update a -g -- cat", code: 64, error: "watch-value: -g needs ID: "),
        Script("watch-value watch a --timeout=-- cat", code: 64, error: "\"--\" is not a time"),
        Script("watch-value get a --color", code: 64, error: "get has no option --color; it belongs to watch, list\n"),
        Script("watch-value get a --color red", code: 64, error: "get has no option --color; it belongs to"),
        Script("watch-value a --for", code: 64, error: "watch has no option --for; it belongs to wait\n"),
        Script(
            "watch-value set v -Infinity", code: 64,
            error: "there is no option -I; if -Infinity is VALUE, put -- before it\n"),
        Script("watch-value set --string v -x", code: 64, error: "no option -x; if -x is VALUE, put -- before it\n"),
        Script(
            "watch-value set --string v --a=b", code: 64,
            error: "; if --a=b is VALUE, put -- before it; did you mean --at?\n"),
        Script(
            "watch-value set --string v --timeot=5s 1", code: 64,
            error: "--timeot; if --timeot=5s is VALUE, put -- before it; did you mean --timeout?\n"),
        Script(
            "watch-value set --string v -r", code: 64,
            error: "set has no option -r; it belongs to watch, get; if -r is VALUE, put -- before it\n"),
        Script("watch-value set --string v -n", code: 64, error: "set has no option -n; it belongs to watch; if -n"),
        Script("watch-value set v 1 -x", code: 64, error: "there is no option -x; see watch-value --help\n"),
        Script("watch-value set v -r 1", code: 64, error: "set has no option -r; it belongs to watch, get\n"),
        Script("watch-value set --string v -- -x; watch-value get v", "\"-x\"\n"),
        Script("watch-value --color", code: 64, error: "--color needs WHEN: "),
        Script("watch-value set a 1 --durability", code: 64, error: "consistent"),
        Script("watch-value get ''", code: 64, error: "watch-value: the value's name \"\" is empty"),
        Script("watch-value set a 1 --durability often", code: 64, error: "relaxed, consistent, durable"),
        Script(
            "watch-value get .a", code: 64,
            error: "watch-value: .a: the value's name \".a\" begins with a dot; begin it with another character\n"),
        Script("watch-value get \"$(printf 'a\\nb')\"", code: 64, error: "control"),
        Script(
            "watch-value get \"$(head -c 201 /dev/zero | tr '\\0' a)\"", code: 64,
            error: "\" is 201 bytes long; use at most 200\n"),
        Script("watch-value get a -g ../b", code: 64, error: "/"),
        Script("watch-value get a -g ''", code: 64, error: "empty"),
        Script("watch-value get a --container ''", code: 64, error: "empty"),
        Script("watch-value get ./", code: 64, error: "directory"),
    ])
    func arguments(_ script: Script) async throws { try await script.check() }

    @Test(arguments: ["500ms", "5s", "2m", "1h", "1d", "5", "0.5", "1.5s", "0.25h", "007s", "99999999999d"])
    func times(_ time: String) async throws {
        try await Script("watch-value set v 1; watch-value wait v --for . --timeout \(time)").check()
    }

    /// A time longer than any process lives counts as for ever, even if no number type can hold it.
    @Test(arguments: ["", ".5", "ms", "s", "h", "d"])
    func hugeTimes(_ unit: String) async throws {
        let script = "watch-value set v 1; watch-value v --timeout $(printf '9%.0s' {1..400})\(unit) -n 1 -- cat"
        try await Script(script, "1\n").check()
    }

    @Test(arguments: [
        "5x", "0x1", "0X1d", "-5", "1e3", "1e3s", "1E-2", "5us", "5ns", "5M", "5min", "5 s", " 5", "+5", "1_000", "1,5",
        ".5", "5.", "1.2.3", "5.s", "ms", "s", "", "inf", "nan", "½", "٣s", "1m30s", "5sms",
    ])
    func noTimes(_ time: String) async throws {
        let error = "--timeout: \"\(time)\" is not a time; write one of 500ms, 1.5s, 2m, 1h, 1d; 5 is 5s\n"
        try await Script("watch-value watch a --timeout '\(time)'", code: 64, error: error).check()
    }

    @Test(arguments: [
        ("", "65 not JSON, or too large;"), ("wait", "the exit code is never 65."),
        ("update", "within COMMAND watch-value exits with 64 rather than wait"),
        ("update", "until COMMAND has ended, and all processes that it leaves behind have closed its standard output."),
    ])
    func whatHelpSays(_ command: String, _ sentence: String) async throws {
        try await Script("watch-value \(command) --help | tr '\\n' ' ' | grep -cF '\(sentence)'", "1\n").check()
    }

    @Test func theTimesThatHelpNames() async throws {
        try await Script("watch-value wait --help | grep -c '(500ms, 1.5s, 2m, 1h, 1d; 5 is 5s)'", "1\n").check()
    }

    @Test(arguments: [
        Script("watch-value get v", code: 66, error: "watch-value: v: "),
        Script("watch-value get ./f", code: 66, error: "watch-value: ./f: "),
        Script("watch-value get ./no/f", code: 66, error: "watch-value: ./no/f: "),
        Script("watch-value get $'./a\\nb'", code: 66, error: #"watch-value: ./a\nb: there is no such value; "#),
        Script("watch-value list", code: 66, error: "no such container"),
        Script("watch-value list --container nowhere", code: 66, error: "nowhere"),
        Script(
            "touch f; watch-value list --container f", code: 74,
            error: "f: cannot list the container: /"),
        Script(
            "touch f; watch-value list --container f/a/b", code: 74,
            error: "/f is not a directory: use another path, or move it out of the way"),
        Script(
            "ln -s no c; watch-value list --container c/d", code: 66,
            error: "/c is a symbolic link to no, which does not exist: create that directory, or remove the link"),
        Script("ln -s l l; watch-value list --container l", code: 74, error: "; correct the symbolic links"),
        Script(
            "watch-value set v 1; watch-value -n1 v -- ''", code: 127, error: "watch-value: v: COMMAND is an empty word"
        ),
        Script(
            "watch-value update v -- ''", code: 127, error: "watch-value: v: COMMAND is an empty word; name a program"),
        Script("echo '{\"a\":1}' > f; watch-value get ./f --at .b", code: 66, error: ".b"),
        Script(
            "printf '{\\n  \"a\": tru\\n}' > settings; watch-value get ./settings", code: 65,
            error: "watch-value: ./settings: 2:8: "),
        Script(": > f; watch-value get ./f", code: 65, error: "1:1"),
        Script("printf '\"\\xff\"' > f; watch-value get ./f", code: 65, error: "1:2"),
        Script(#"echo '"\ud800"' > f; watch-value get ./f"#, code: 65, error: "1:2"),
        Script("printf '\\xff\\xfe1\\0' > f; watch-value get ./f", code: 65, error: "1:1"),
        Script("printf '1\\0' > f; watch-value get ./f", code: 65, error: "1:2"),
        Script("head -c 100000 /dev/zero | tr '\\0' '[' > f; watch-value get ./f", code: 65, error: "1:"),
        Script(
            "truncate -s 1T f; watch-value get ./f", code: 65,
            error: "./f: it has 1099511627776 bytes; 16777216 are allowed by watch-value, whose limit is fixed\n"),
        Script(
            "head -c 16777216 /dev/zero | tr '\\0' x | watch-value set --string v -", code: 65,
            error: "v: the value takes 16777218 bytes; 16777216 are allowed by watch-value, whose limit is fixed\n"),
        Script(
            "head -c 16777217 /dev/zero | watch-value set v -", code: 65,
            error: "standard input: it has more than 16777216 bytes"),
        Script(
            "watch-value get /dev/stdin", code: 64, error: "an open file, not a place: write the file's path, or jq . "),
        Script("watch-value get <(echo 1)", code: 64, error: ": this is an open file, not a place"),
        Script("watch-value set /dev/fd/0 1", code: 64, error: "watch-value set NAME - < /dev/fd/0 to keep it"),
        Script("echo 1 > f; watch-value get /proc/self/fd/3 3< f", code: 64, error: "this is an open file"),
        Script("watch-value list --container /proc/self/root/no", code: 66, error: ""),
        Script("mkdir d; watch-value get ./d", code: 74, error: "a directory"),
        Script("mkfifo f; watch-value get ./f", code: 74, error: "a FIFO"),
        Script("watch-value get /dev/null", code: 74, error: "a device"),
        Script("mkdir -p groups/default/v; watch-value set v 1", code: 74, error: "left alone"),
        Script(
            "mkdir -p groups/default; ln -s /etc/hostname groups/default/v; watch-value get v", code: 74,
            error: "symbolic link"),
        Script(
            "ln -s l l; watch-value set ./l 1", code: 74, error: "./l: cannot follow the path: Too many"),
        Script("ln -s l l; watch-value get ./l", code: 74, error: "./l: cannot read the value: Too many"),
        Script("ln -s l l; watch-value get --container l a", code: 74, error: "a: cannot read the value: Too many"),
        Script(
            "ln -s no/v l; watch-value set ./l 1", code: 74,
            error: "/l is a symbolic link to no/v: create the directory for that, or remove the link"),
        Script(
            "ln -s k l; ln -s ../no/v k; watch-value update ./l -- echo 1", code: 74,
            error: "/k is a symbolic link to ../no/v: create the directory for that, or remove the link"),
        Script(
            "touch f; ln -s f/v l; watch-value set ./l 1", code: 74,
            error: "/f is not a directory: use another path, or move it out of the way"),
        Script(
            "touch groups; watch-value set v 1", code: 74, error: "groups/default: cannot make or open the container"),
        Script(
            "touch f; watch-value get --container f v", code: 74,
            error: "/f is not a directory: use another path, or move it out of the way"),
        Script(
            "touch f; watch-value get --container f/a v", code: 74,
            error: "/f is not a directory: use another path, or move it out of the way"),
        Script(
            "touch f; watch-value set f/a/b/v 1", code: 74,
            error: "/f is not a directory: use another path, or move it out of the way"),
        Script(
            "ln -s no c; watch-value set --container c v 1", code: 74,
            error: "/c is a symbolic link to no, which does not exist: create that directory, or remove the link"),
        Script(
            "ln -s no c; watch-value set c/d/v 1", code: 74,
            error: "/c is a symbolic link to no, which does not exist: create that directory, or remove the link"),
        Script("watch-value set v '{' ", code: 65, error: "VALUE: 1:2: "),
        Script("watch-value set v abc", code: 65, error: "--string"),
        Script("watch-value set v -", input: "", code: 65, error: "standard input: 1:1"),
        Script("watch-value set v - --string < <(printf '\\xff')", code: 65, error: "UTF-8"),
        Script("watch-value set v 1; watch-value get v > /dev/full", code: 74, error: "space"),
        Script(
            "watch-value set v 1; flock groups/default/.groupfile/v.lock watch-value set v 2 --timeout 50ms", code: 124,
            error: "flock"),
        Script("watch-value watch v --timeout 50ms", code: 124, error: "v: timed out after 50ms"),
        Script(
            "watch-value set v 1; watch-value watch v -n2 --pretty --timeout 50ms", "1\n", code: 124,
            error: "v: timed out after 50ms with 1 of 2 printed\n"),
        Script("watch-value set v 1; watch-value watch v --timeout 0", "1\n", code: 124, error: "after 0s\n"),
        Script("watch-value set v 1; watch-value watch v --timeout 0.05s --no-initial", code: 124, error: "timed out"),
        Script(
            "watch-value set v 1; watch-value v --events --no-initial --timeout 50ms", code: 124, error: "timed out"),
    ])
    func failures(_ script: Script) async throws { try await script.check() }

    /// The message names what is in the way where the file cannot exist.
    @Test(arguments: ["get ./plain/x", "remove ./plain/x", "get ./plain/y/x"])
    func whatIsInTheWayIsTold(_ words: String) async throws {
        try await Script(
            "echo 1 > plain; watch-value \(words)", code: 66,
            error: "/plain is not a directory: use another path, or move it out of the way\n"
        ).check()
    }

    /// The message comes once, and names the file that is no directory.
    @Test(arguments: ["set --container f v 1", "set f/a/b/v 1", "get --container f/a v", "list --container f"])
    func whatIsNoDirectoryIsToldOnce(_ words: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run("touch f; watch-value \(words)")
            let sentence = ": \(sandbox.path("f")) is not a directory: use another path, or move it out of the way\n"
            #expect(result.errors.hasSuffix(sentence), "\(result.errors)")
            #expect(!result.errors.contains("Not a directory"), "\(result.errors)")
        }
    }

    @Test(arguments: ["get ./f", "set ../f 1", "path ./f", "list --container .", "wait ./f --for ."])
    func aCurrentDirectoryThatWasRemoved(_ words: String) async throws {
        let error = ": the current directory was removed; go to another one\n"
        try await Script("mkdir d; cd d; rmdir ../d; watch-value \(words)", code: 74, error: error).check()
    }

    /// Where there is no such value, the message says what was probably meant.
    @Test(arguments: [
        ("get f.json", "f.json: there is no such value; for the file here write ./f.json; it would be "),
        ("f.json --timeout 0", "f.json: there is no such value yet; for the file here write ./f.json\n"),
        ("f.json --timeout 0 -- cat", "for the file here write ./f.json\n"),
        ("wait f.json --timeout 0 --for .", "for the file here write ./f.json\n"),
        ("wach v --timeout 0", "wach: there is no such value yet; for the command write watch-value watch\n"),
        ("docter --timeout 0", "for the command write watch-value doctor\n"),
        ("GET --timeout 0", "GET: there is no such value yet; for the command write watch-value get\n"),
        ("lsit --timeout 0", "lsit: there is no such value yet; for the command write watch-value list\n"),
        ("rm v --timeout 0", "rm: there is no such value yet; for the command write watch-value remove\n"),
        ("updat n -- cat", "COMMAND takes only one NAME; for the command write watch-value update\n"),
        ("help --timeout 0", "help: there is no such value yet; for help write watch-value --help\n"),
        ("version --timeout 0", "version: there is no such value yet; for the version write watch-value --version\n"),
        ("watch wach --timeout 0", nil), ("job --timeout 0", nil), ("w --timeout 0", nil), ("./help --timeout 0", nil),
        ("wait wach --timeout 0 --for .", nil),
    ])
    func meanings(_ words: String, _ hint: String?) async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run("echo 1 > f.json; watch-value \(words)")
            #expect(result.errors.contains(hint ?? "watch-value: "))
            #expect(result.errors.contains(" write ") == (hint != nil), "\(result.errors)")
        }
    }
}
