import Testing

/// What foreign programs do to the value `v` in a container that somebody watches, and what the watcher must see.
///
/// To add a scenario, add a line. `sh -e` runs `script` in the directory that holds the container `c`, with the path of
/// the probe in `$PROBE`; the watcher was started after `before`, and has reported its first value. In the end the
/// watcher's value must be `last`, where nil is "missing". If `seen` is given, the watcher must have reported nothing
/// else. If `gone` is given, it is run before `script`, and the watcher must see the value missing in between.
struct Scenario: Sendable, CustomTestStringConvertible {
    let script: String
    let before: String
    let gone: String?
    let last: Int?
    let seen: Set<Int>?
    /// The command that the scenario needs; where that is missing, the scenario is left out.
    let needs: String?

    init(
        _ script: String, before: String = "mkdir c; echo 1 > c/v", gone: String? = nil, last: Int?,
        seen: Set<Int>? = nil, needs: String? = nil
    ) {
        self.script = script
        self.before = before
        self.gone = gone
        self.last = last
        self.seen = seen
        self.needs = needs
    }

    var testDescription: String {
        let before = before.hasPrefix("mkdir c; echo 1") ? gone : before
        return before.map { "\($0) | \(script)" } ?? script
    }

    static let all: [Scenario] = [
        // In place.
        Scenario("echo 2 > c/v", last: 2, seen: [1, 2]),
        Scenario("printf 2 > c/v; printf 3 >> c/v", last: 23),
        Scenario("for i in $(seq 2 300); do echo $i > c/v; done", last: 300),
        Scenario("exec 3> c/v; printf 12 >&3; sleep 0.02; printf 34 >&3; exec 3>&-", last: 1234),
        Scenario(
            "python3 -c 'f = open(\"c/v\", \"r+\"); f.write(\"7\"); f.truncate(1); f.close()'", last: 7,
            needs: "python3"),
        Scenario(
            "python3 -c 'import os; os.truncate(\"c/v\", 1)'", before: "mkdir c; echo 12 > c/v", last: 1,
            needs: "python3"),
        Scenario(
            "python3 -c 'import mmap; f = open(\"c/v\", \"r+b\"); m = mmap.mmap(f.fileno(), 1); m[0:1] = b\"5\"; m.close(); f.close()'",
            last: 5, needs: "python3"),
        Scenario("sed -i s/1/4/ c/v", last: 4, seen: [1, 4]),
        Scenario("ex -s -c '%s/1/6/' -c 'wq' c/v", last: 6, seen: [1, 6], needs: "ex"),
        Scenario(
            "vim -es -u NONE -c 'set backupcopy=yes' -c '%s/1/8/' -c 'wq' c/v", last: 8, seen: [1, 8], needs: "vim"),
        Scenario(
            "vim -es -u NONE -c 'set backupcopy=no backup' -c '%s/1/9/' -c 'wq' c/v", last: 9, seen: [1, 9],
            needs: "vim"),
        // Renamed, linked, exchanged.
        Scenario("echo 2 > c/n; mv c/n c/v", last: 2, seen: [1, 2]),
        Scenario("mkdir d; echo 2 > d/n; mv d/n c/v", last: 2, seen: [1, 2]),
        Scenario("mv c/v c/w; mv c/w c/v; echo 3 > n; mv n c/v", last: 3),
        Scenario("echo 2 > c/n; cp -p c/n c/v", last: 2, seen: [1, 2]),
        Scenario("echo 2 > c/n; touch -r c/v c/n; mv c/n c/v", last: 2, seen: [1, 2]),
        Scenario("echo 2 > c/n; rm c/v; ln c/n c/v", last: 2),
        Scenario("echo 2 > c/n; ln -f c/n c/v", last: 2, seen: [1, 2]),
        Scenario("echo 2 > c/n; \"$PROBE\" exchange c/n c/v", last: 2, seen: [1, 2]),
        Scenario("for i in $(seq 2 200); do echo $i > c/n; mv c/n c/v; done", last: 200),
        Scenario("install -m 600 /dev/null c/n; echo 5 > c/n; install -m 640 c/n c/v", last: 5),
        // Gone, and there again.
        Scenario("rm c/v", last: nil),
        Scenario("mv c/v c/w", last: nil),
        Scenario("mv c/v w", last: nil),
        Scenario("rm c/v; echo 2 > c/v", last: 2, seen: [0, 1, 2]),
        Scenario("rm c/v; sleep 0.1; echo 2 > c/v", last: 2, seen: [0, 1, 2]),
        Scenario("echo 1 > c/v", gone: "rm c/v", last: 1, seen: [0, 1]),
        Scenario("rm c/v; mkdir c/v; sleep 0.1; rmdir c/v; echo 2 > c/v", last: 2),
        // The directory.
        Scenario("rm -r c", last: nil),
        Scenario("rm -r c; mkdir c; echo 2 > c/v", last: 2),
        Scenario("rm -r c; sleep 0.1; mkdir c; sleep 0.1; echo 2 > c/v", last: 2),
        Scenario("for i in $(seq 2 40); do rm -r c; mkdir c; echo $i > c/v; done", last: 40),
        Scenario("mv c d", last: nil),
        Scenario("mv c d; mkdir c; echo 2 > c/v", last: 2),
        Scenario("mv c d; mkdir c; echo 2 > c/v; echo 3 > d/v", last: 2),
        Scenario("mkdir n; echo 2 > n/v; mv c d; mv n c", last: 2),
        Scenario("mv d c", gone: "mv c d", last: 1, seen: [0, 1]),
        Scenario("mkdir n; echo 2 > n/v; \"$PROBE\" exchange n c", last: 2),
        // What is above it.
        Scenario("rm -r p", before: "mkdir -p p/q/c; ln -s p/q/c c; echo 1 > c/v", last: nil),
        Scenario(
            "rm -r p; mkdir -p p/q/c; echo 2 > p/q/c/v", before: "mkdir -p p/q/c; ln -s p/q/c c; echo 1 > c/v", last: 2),
        Scenario(
            "mv p o; mkdir -p p/q/c; echo 2 > p/q/c/v", before: "mkdir -p p/q/c; ln -s p/q/c c; echo 1 > c/v", last: 2),
        Scenario("ln -sfn b c", before: "mkdir a b; echo 1 > a/v; echo 2 > b/v; ln -s a c", last: 2),
        Scenario(
            "ln -s b n; mv -T n c; echo 3 > b/v", before: "mkdir a b; echo 1 > a/v; echo 2 > b/v; ln -s a c", last: 3),
        // Not there yet.
        Scenario("mkdir c; echo 2 > c/v", before: "true", last: 2),
        Scenario("mkdir n; echo 2 > n/v; mv n c", before: "true", last: 2),
        Scenario("echo 2 > c/v", before: "mkdir c", last: 2),
        Scenario("echo 2 > n; mv n c/v", before: "mkdir c", last: 2),
        // Bad content in between leaves the last good value.
        Scenario("echo nonsense > c/v; sleep 0.1; echo 2 > c/v", last: 2, seen: [1, 2]),
        Scenario("echo nonsense > c/v; sleep 0.1; echo 1 > c/v; echo 3 > n; mv n c/v", last: 3, seen: [1, 3]),
        Scenario(": > c/v; sleep 0.01; echo 2 > c/v", last: 2, seen: [1, 2]),
        // Whatever else is in its place.
        Scenario("rm c/v; mkfifo c/v; sleep 0.1; rm c/v; echo 2 > c/v", last: 2),
        Scenario("rm c/v; ln -s /etc/passwd c/v; sleep 0.1; rm c/v; echo 2 > c/v", last: 2, seen: [0, 1, 2]),
        Scenario("chmod 000 c/v; chmod 600 c/v; echo 2 > c/v", last: 2),
    ]
}
