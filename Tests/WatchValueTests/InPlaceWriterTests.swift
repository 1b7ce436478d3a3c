import TestSupport
import Testing

/// A program writes the value in place while the command reads it once. Only events tell when it is done: the file is
/// touched all the time, so that its age says nothing.
@Suite struct InPlaceWriterTests {
    /// Runs `sys.argv[4:]` while `value` is half written, and finishes it once the command watches the directory. If the
    /// command has not ended after most of the time for which it waits, the next writer begins.
    private static let writer = """
        import os, subprocess, sys, time
        half, rest, result = sys.argv[1].encode(), sys.argv[2].encode(), sys.argv[3]
        file = os.open("value", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.write(file, half)
        command = subprocess.Popen(sys.argv[4:])
        watched = " ino:%x " % os.stat(".").st_ino

        def watches():
            descriptors = "/proc/%d/fdinfo/" % command.pid
            try:
                return any(watched in open(descriptors + number).read() for number in os.listdir(descriptors))
            except OSError:
                return False

        def isWanted():
            return command.poll() is None and os.path.getsize(result) == 0

        while isWanted() and not watches():
            os.pwrite(file, half, 0)
            time.sleep(0.005)
        os.pwrite(file, rest, len(half))
        os.close(file)
        end = time.monotonic() + 0.8
        while isWanted() and time.monotonic() < end:
            os.utime("value")
            time.sleep(0.005)
        file = os.open("value", os.O_WRONLY | os.O_TRUNC)
        while command.poll() is None:
            os.pwrite(file, half, 0)
            time.sleep(0.005)
        sys.exit(command.returncode)
        """

    @Test(.needs("python3"), arguments: TemporaryDirectory.Place.allCases)
    func G2_anUpdateBeginsOnceTheWriterHasClosedTheFile(place: TemporaryDirectory.Place) async throws {
        try await Self.check(
            place, half: "1111", rest: "2222\n", "watch-value update ./value -- sh -c 'tee given'", "11112222\n")
    }

    @Test(.needs("python3"), arguments: TemporaryDirectory.Place.allCases)
    func G2_whatDoesNotDecodeIsReadAgainOnceItsWriterHasClosedTheFile(place: TemporaryDirectory.Place) async throws {
        try await Self.check(
            place, half: "[1,", rest: "2]\n", "sh -c 'exec watch-value get ./value > given'", "[1,2]\n")
    }

    private static func check(
        _ place: TemporaryDirectory.Place, half: String, rest: String, _ command: String, _ given: String
    ) async throws {
        try await Sandbox.run(place) { sandbox in
            let result = try sandbox.run(
                "touch given; exec python3 -c '\(writer)' '\(half)' '\(rest)' given \(command)")
            #expect(result.errors == "")
            #expect(result.code == 0)
            #expect(try sandbox.text("given") == given)
        }
    }
}
