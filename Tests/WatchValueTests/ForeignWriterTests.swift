import TestSupport
import Testing

/// A way to change the file `$F` in `$D`, which is in `$P`, to `$V`: with the command, or as programs do it that do not
/// know of us.
struct ForeignWriter: Sendable, CustomTestStringConvertible {
    let name: String
    let script: String
    var needs = "sh"

    var testDescription: String { name }

    static let all = [
        ForeignWriter(name: "watch-value set", script: "watch-value set \"$F\" \"$V\""),
        ForeignWriter(name: "echo", script: "echo \"$V\" > \"$F\""),
        ForeignWriter(
            name: "slow echo", script: "{ printf '{'; exec 3<>\"$F\"; } >/dev/null; printf %s \"$V\" >&3; exec 3>&-"),
        ForeignWriter(name: "mv", script: "echo \"$V\" > \"$D/tmp\"; mv \"$D/tmp\" \"$F\""),
        ForeignWriter(name: "mv from another directory", script: "echo \"$V\" > \"$P/tmp\"; mv \"$P/tmp\" \"$F\""),
        ForeignWriter(
            name: "cp -p", script: "echo \"$V\" > \"$P/tmp\"; touch -d @1 \"$P/tmp\"; cp -p \"$P/tmp\" \"$F\""),
        ForeignWriter(
            name: "vim", script: "vim -es -u NONE -c '%d' -c \"call setline(1, '$V')\" -c wq \"$F\"", needs: "vim"),
        ForeignWriter(
            name: "vim with a backup",
            script: "vim -es -u NONE -c 'set backup backupcopy=no' -c '%d' -c \"call setline(1, '$V')\" -c wq \"$F\"",
            needs: "vim"),
        ForeignWriter(name: "sed -i", script: "sed -i \"s/.*/$V/\" \"$F\"", needs: "sed"),
        ForeignWriter(
            name: "python",
            script: "python3 -c 'import sys; open(sys.argv[1], \"w\").write(sys.argv[2])' \"$F\" \"$V\"",
            needs: "python3"),
        ForeignWriter(name: "jq", script: "J=$(jq -n \"$V\"); echo \"$J\" > \"$F\"", needs: "jq"),
        ForeignWriter(
            name: "hard link", script: "echo \"$V\" > \"$P/tmp\"; rm \"$F\"; ln \"$P/tmp\" \"$F\"; rm \"$P/tmp\""),
        ForeignWriter(
            name: "RENAME_EXCHANGE",
            script: """
                echo "$V" > "$D/other"
                python3 -c 'import ctypes, sys
                c = ctypes.CDLL(None, use_errno=True)
                sys.exit(c.renameat2(-100, sys.argv[1].encode(), -100, sys.argv[2].encode(), 2))' "$D/other" "$F"
                """, needs: "python3"),
        ForeignWriter(name: "rm and anew", script: "rm \"$F\"; echo \"$V\" > \"$F\""),
        ForeignWriter(name: "rm of the directory and anew", script: "rm -r \"$D\"; mkdir \"$D\"; echo \"$V\" > \"$F\""),
        ForeignWriter(name: "rm of the parent and anew", script: "rm -r \"$P\"; mkdir -p \"$D\"; echo \"$V\" > \"$F\""),
        ForeignWriter(
            name: "directory moved away, another in its place",
            script: "mkdir \"$P/new\"; echo \"$V\" > \"$P/new/value\"; mv \"$D\" \"$P/old$V\"; mv \"$P/new\" \"$D\""),
        ForeignWriter(
            name: "parent moved away, another in its place",
            script:
                "mkdir -p \"$P.new/dir\"; echo \"$V\" > \"$P.new/dir/value\"; mv \"$P\" \"$P.old$V\"; mv \"$P.new\" \"$P\""
        ),
    ]
}

@Suite struct ForeignWriterTests {
    @Test(arguments: ForeignWriter.all, TemporaryDirectory.Place.allCases)
    func watchFollows(_ writer: ForeignWriter, _ place: TemporaryDirectory.Place) async throws {
        guard Tools.has(writer.needs) else { return }
        try await Sandbox.run(place) { sandbox in
            try sandbox.run("mkdir -p parent/dir; echo 0 > parent/dir/value")
            let byName = try sandbox.watch("--container parent/dir value")
            let byPath = try sandbox.watch("./parent/dir/value")
            for value in 0...3 {
                if value > 0 {
                    let change = "P=$PWD/parent D=$P/dir F=$D/value V=\(value)\n\(writer.script)"
                    let result = try sandbox.run(change)
                    try #require(result.code == 0, "\(result.errors)")
                }
                try byName.expectLast("\(value)")
                try byPath.expectLast("\(value)")
            }
            for watch in [byName, byPath] {
                #expect(try watch.end().lines == ["0", "1", "2", "3"])
            }
        }
    }
}
