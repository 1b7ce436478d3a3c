// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "group-files",
    products: [],
    targets: [
        // Floor 0: the kernel, and pure text.
        .target(name: "CSystemCalls", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "SystemCalls", dependencies: ["CSystemCalls"], swiftSettings: strict),
        .target(name: "JSONText", swiftSettings: strict),
        .testTarget(name: "JSONTextTests", dependencies: ["JSONText"], swiftSettings: strict),
    ]
)
