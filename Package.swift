// swift-tools-version: 6.2
import Foundation
import PackageDescription

// A release build is one static executable if the static C library is installed. It starts in less than half the time,
// and runs on any distribution. Debian and Ubuntu install that library with the compiler; Fedora has it in glibc-static
// and libstdc++-static. Without it, Swift's own option decides what is linked.
//
// The executable has the code that runs at each change in one place, in the order that Tests/function-order finds. A
// process that wakes up has to load only a third of the pages of code, and reports a change in nine tenths of the time.
let staticLibraries = ["lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu", "lib64", "lib"].map { "/usr/\($0)/libc.a" }
let inOneFile: [LinkerSetting] =
    staticLibraries.contains(where: FileManager.default.fileExists)
    ? [
        .unsafeFlags(
            // Foundation's static library needs these two libraries (-l), but says so only if the build is static.
            [
                "-static-executable", "-use-ld=lld", "-l_FoundationCollections", "-l_FoundationCShims",
                "-Xlinker", "--symbol-ordering-file=\(Context.packageDirectory)/Sources/watch-value/functions.order",
                "-Xlinker", "--no-warn-symbol-ordering",
            ],
            .when(platforms: [.linux], configuration: .release))
    ] : []

// CI demands that there are no warnings. Packages that depend on this one by path do not get this option: their
// compiler may know more warnings, and their own options may conflict with it. With -suppress-warnings, and so with
// `--build-system swiftbuild`, nothing could be built.
let demandsNoWarnings = Context.environment["WARNINGS_ARE_ERRORS"] == "1"

let strict: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .strictMemorySafety(),
        // Lets the linker omit unused functions, and reorder the others.
        .unsafeFlags(["-Xfrontend", "-function-sections"], .when(configuration: .release)),
    ] + (demandsNoWarnings ? [.treatAllWarnings(as: .error)] : [])

let strictC: [CSetting] = demandsNoWarnings ? [.treatAllWarnings(as: .error)] : []

let package = Package(
    name: "group-files",
    products: [
        .library(name: "GroupFiles", targets: ["GroupFiles"]),
        .library(name: "FileEvents", targets: ["FileEvents"]),
        .library(name: "Observables", targets: ["Observables"]),
        .executable(name: "watch-value", targets: ["watch-value"]),
    ],
    targets: [
        // Layer 0: the kernel, and pure text.
        .target(name: "CSystemCalls", cSettings: strictC),
        .target(name: "SystemCalls", dependencies: ["CSystemCalls"], swiftSettings: strict),
        .target(name: "JSONText", swiftSettings: strict),

        // Layer 1: notification of changes, and the fast path between values and JSON.
        .target(name: "FileEvents", dependencies: ["SystemCalls"], swiftSettings: strict),
        .target(name: "Observables", dependencies: ["SystemCalls"], swiftSettings: strict),
        .target(name: "PlainJSON", dependencies: ["JSONText", "SystemCalls"], swiftSettings: strict),

        // Layer 2: values in files.
        .target(
            name: "GroupFiles", dependencies: ["FileEvents", "JSONText", "Observables", "PlainJSON", "SystemCalls"],
            swiftSettings: strict),

        // Layer 3: the command.
        .target(
            name: "WatchValueCommand",
            dependencies: ["FileEvents", "GroupFiles", "JSONText", "Observables", "SystemCalls"],
            swiftSettings: strict),
        .executableTarget(
            name: "watch-value", dependencies: ["WatchValueCommand"], exclude: ["functions.order"],
            swiftSettings: strict, linkerSettings: inOneFile),

        // Examples: programs that tests run. First the code that they share.
        .target(
            name: "ExampleSupport", dependencies: ["GroupFiles", "SystemCalls"], path: "Examples/ExampleSupport",
            swiftSettings: strict),
        .target(
            name: "BroadcastPreferences", dependencies: ["GroupFiles"], path: "Examples/BroadcastPreferences",
            swiftSettings: strict),
        .executableTarget(
            name: "broadcaster", dependencies: ["BroadcastPreferences", "ExampleSupport", "GroupFiles"],
            path: "Examples/broadcaster", swiftSettings: strict),
        .executableTarget(
            name: "viewer", dependencies: ["BroadcastPreferences", "ExampleSupport", "GroupFiles"],
            path: "Examples/viewer", swiftSettings: strict),
        // Depends on the other two so that they are built, and are in the same directory.
        .executableTarget(
            name: "broadcast-demo", dependencies: ["ExampleSupport", "broadcaster", "viewer"],
            path: "Examples/broadcast-demo", swiftSettings: strict),

        .executableTarget(
            name: "lucky-number", dependencies: ["ExampleSupport", "GroupFiles"], path: "Examples/lucky-number",
            exclude: ["README.md"], swiftSettings: strict),
        .target(
            name: "Timelines", dependencies: ["ExampleSupport", "GroupFiles"], path: "Examples/Timelines",
            swiftSettings: strict),
        .executableTarget(
            name: "status-widget", dependencies: ["ExampleSupport", "GroupFiles", "Timelines"],
            path: "Examples/status-widget", exclude: ["README.md"], swiftSettings: strict),
        .executableTarget(
            name: "flag-daemon", dependencies: ["ExampleSupport", "GroupFiles"], path: "Examples/flag-daemon",
            exclude: ["README.md", "flag-daemon.service"], swiftSettings: strict),

        // The C code with which the benchmarks are compared.
        .target(
            name: "CFloor", path: "Tests/Benchmarks/CFloor", exclude: ["get.c"], cSettings: strictC),
        // Depends on the command so that it is built, and is in the same directory.
        .executableTarget(
            name: "benchmarks", dependencies: ["CFloor", "GroupFiles", "SystemCalls", "watch-value"],
            path: "Tests/Benchmarks", exclude: ["CFloor", "README.md"], swiftSettings: strict, linkerSettings: inOneFile
        ),

        // Shared by tests of several modules: processes, directories, deadlines.
        .target(
            name: "TestSupport", dependencies: ["SystemCalls"], path: "Tests/TestSupport", swiftSettings: strict),

        // A program for contract tests, which uses the public API as its command line says.
        .executableTarget(
            name: "probe", dependencies: ["FileEvents", "GroupFiles", "Observables", "SystemCalls"],
            path: "Tests/Probe",
            swiftSettings: strict),
        .testTarget(name: "SystemCallsTests", dependencies: ["SystemCalls", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "FileEventsTests", dependencies: ["FileEvents", "SystemCalls", "TestSupport", "probe"],
            swiftSettings: strict),
        .testTarget(
            name: "ContractTests",
            dependencies: [
                "FileEvents", "GroupFiles", "JSONText", "SystemCalls", "TestSupport", "probe", "watch-value",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "GroupFilesTests",
            dependencies: ["FileEvents", "GroupFiles", "Observables", "PlainJSON", "SystemCalls", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "BenchmarkTests", dependencies: ["TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "TestSupportTests", dependencies: ["SystemCalls", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "BroadcastPreferences", "SystemCalls", "TestSupport", "broadcast-demo", "broadcaster", "flag-daemon",
                "lucky-number", "status-widget", "viewer",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TimelinesTests",
            dependencies: ["ExampleSupport", "GroupFiles", "SystemCalls", "TestSupport", "Timelines"],
            swiftSettings: strict),
        // README.md's code and commands.
        .testTarget(
            name: "SnippetTests",
            dependencies: ["FileEvents", "GroupFiles", "Observables", "TestSupport"],
            swiftSettings: strict),
        .testTarget(name: "JSONTextTests", dependencies: ["JSONText", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "PlainJSONTests", dependencies: ["PlainJSON", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "ObservablesTests", dependencies: ["Observables", "SystemCalls", "TestSupport"], swiftSettings: strict
        ),
        .testTarget(
            name: "WatchValueTests",
            dependencies: ["FileEvents", "GroupFiles", "JSONText", "SystemCalls", "TestSupport", "WatchValueCommand"],
            swiftSettings: strict),
    ]
)

// A build with a sanitizer takes half of the time if it contains only the tests that it runs, and their dependencies,
// which come before them here. TEST_TARGETS names these tests: "SystemCallsTests GroupFilesTests/Backend" is all of the
// first target, and that folder of the second.
if let wanted = Context.environment["TEST_TARGETS"]?.split(separator: " ").map({ $0.split(separator: "/") }) {
    let folders = Dictionary(grouping: wanted.map { $0.map(String.init) }) { $0[0] }.mapValues {
        $0.flatMap { $0.dropFirst() }
    }
    var needed = Set(folders.keys)
    for target in package.targets.reversed() where needed.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
        guard let folders = folders[target.name], !folders.isEmpty else { continue }
        target.exclude = try FileManager.default
            .contentsOfDirectory(atPath: "\(Context.packageDirectory)/Tests/\(target.name)").filter {
                !folders.contains($0)
            }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    precondition(needed.count == package.targets.count, "TEST_TARGETS has a name that is none of a target")
    package.products.removeAll()
}
