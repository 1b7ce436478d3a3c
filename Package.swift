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
    products: [
        .library(name: "Observables", targets: ["Observables"])
    ],
    targets: [
        // Floor 0: the kernel, and pure text.
        .target(name: "CSystemCalls", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "SystemCalls", dependencies: ["CSystemCalls"], swiftSettings: strict),

        // Floor 1: values that change, and who is told.
        .target(name: "Observables", dependencies: ["CSystemCalls", "SystemCalls"], swiftSettings: strict),

        .testTarget(name: "ObservablesTests", dependencies: ["Observables", "SystemCalls"], swiftSettings: strict),
    ]
)
