import TestSupport
import Testing

/// Standard error or a terminal accepts no output: its reader hangs, or Ctrl-S was pressed.
@Suite struct StuckOutputTests {
    /// Opens a full pipe as descriptor 4.
    private static let fullPipe =
        "mkfifo p; exec 4<> p; dd if=/dev/zero of=p bs=4096 count=1000 oflag=nonblock 2> /dev/null; echo 1 > f\n"

    /// Values, time-outs and exit codes do not wait for the pipe.
    @Test(arguments: [
        ("get ./none", 66), ("./none --timeout 200ms", 124), ("wait ./f --for '. == 2' --timeout 200ms", 124),
        ("update ./f -- false", 1), ("./f -n 1 -- false", 0), ("set ./f bad", 65), ("set ./p 1", 74),
    ])
    func complaintsThatNobodyTakesAreLost(_ words: String, _ code: Int) async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(Self.fullPipe + "watch-value \(words) 2>&4; echo $?")
            #expect(result.lines == ["\(code)"], "\(result)")
        }
    }

    @Test func valuesAndSignalsDoNotWaitForComplaints() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                Self.fullPipe + """
                    echo bad > f; mkfifo told; watch-value --events ./f 2>&4 > told & exec 3< told
                    until_told() { while read line <&3; do case $line in *$1*) echo told; break ;; esac; done; }
                    until_told invalid; echo 7 > f; until_told :7,; echo worse > f; until_told invalid
                    kill $!; wait $!; echo $?
                    """)
            #expect(result.lines == ["told", "told", "told", "143"], "\(result)")
        }
    }

    /// The lock is held while COMMAND runs, and no longer.
    @Test func theLockDoesNotWaitForComplaints() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                Self.fullPipe + """
                    mkfifo ended; watch-value update ./f -- sh -c 'echo > ended; exit 3' 2>&4 & read line < ended
                    watch-value set ./f 2 --timeout 900ms; echo $?; wait $!; echo $?; cat f
                    """)
            #expect(result.lines == ["0", "3", "2"], "\(result)")
        }
    }

    enum End: String, CaseIterable, Sendable {
        /// As by Ctrl-S. Then the value changes, and the process is asked to end.
        case stopped = """
            termios.tcflow(slave, termios.TCOOFF); open("v", "w").write("2"); child.terminate()
            """
        case closed = "os.close(slave); os.close(master)"
    }

    /// The exit code says what ended the process, whatever happens to the screen.
    @Test(
        .needs("python3"), arguments: ["list --live", "watch --plot v", "watch v", "watch --count 2 v"], End.allCases)
    func aTerminalThatTakesNothingIsNotWaitedFor(_ words: String, _ end: End) async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                """
                echo 1 > v; python3 -c '
                import os, pty, subprocess, sys, termios
                master, slave = pty.openpty()
                command = ["setsid", "-c", "watch-value", "--container", "."] + sys.argv[1].split()
                child = subprocess.Popen(command, stdin=slave, stdout=slave)
                shown = b""
                while b"1" not in shown: shown += os.read(master, 1)
                \(end.rawValue)
                print(child.wait())' '\(words)'
                """)
            #expect(result.lines == [end == .stopped ? "143" : "129"], "\(result)")
            #expect(result.errors == "")
        }
    }

    /// A Ctrl-Z that comes while the table waits for the terminal takes effect once the terminal accepts output.
    @Test(.needs("python3"))
    func ctrlZDoesNotGetLostInATerminalThatTakesNothing() async throws {
        try await Sandbox.run { sandbox in
            let script = """
                import os, signal, sys, termios, time
                slave, master = 0, int(sys.argv[1])
                termios.tcflow(slave, termios.TCOOFF)
                child = os.fork()
                if child == 0:
                    os.setpgid(0, 0)
                    os.environ["TERM"] = "xterm"
                    os.execlp("watch-value", "watch-value", "--container", ".", "list", "--live")
                def signals(which):
                    for line in open(f"/proc/{child}/status"):
                        if line.startswith(which + ":"): return int(line.split()[1], 16) >> signal.SIGTSTP - 1 & 1
                while not signals("SigBlk"): time.sleep(0.01)
                os.kill(child, signal.SIGTSTP)
                while signals("ShdPnd"): time.sleep(0.01)
                termios.tcflow(slave, termios.TCOON)
                shown = b""
                while b"AGE" not in shown: shown += os.read(master, 1)
                os.kill(child, signal.SIGTERM)
                ending = os.waitpid(child, os.WUNTRACED)[1]
                print("stopped" if os.WIFSTOPPED(ending) else "ended", file=sys.stderr)
                os.kill(child, signal.SIGKILL)
                """
            let result = try sandbox.run(
                """
                cat > script; python3 -c '
                import os, pty, subprocess
                master, slave = pty.openpty()
                command = ["setsid", "-w", "-c", "python3", "script", str(master)]
                subprocess.run(command, stdin=slave, stdout=slave, pass_fds=[master])'
                """, input: script)
            #expect(result.errors == "stopped\n")
        }
    }
}
