// swift-tools-version: 6.3

import PackageDescription

// As in the package above.
let warnings: [SwiftSetting] =
    Context.environment["NETWORK_CLIENT_CHECKED"] == nil ? [] : [.treatAllWarnings(as: .error)]

let settings: [SwiftSetting] =
    warnings + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]

/// What the tests of the package above are written with, too: the folders in `Sources` are links to its own.
let library: [Target.Dependency] = [
    .product(name: "NetworkClient", package: "swift-network-client"),
    .product(name: "NetworkClientTesting", package: "swift-network-client"),
    .product(name: "NetworkUtilities", package: "swift-network-client"),
]

func tests(_ name: String, excluding excluded: [String] = []) -> Target {
    .testTarget(
        name: name,
        dependencies: ["NetworkTestSupport"] + library,
        exclude: excluded,
        swiftSettings: settings
    )
}

/// Tests that take long, or that only change with the transports, the documentation and the compiler's messages.
let package = Package(
    name: "Wire",
    platforms: [.iOS(.v15), .macCatalyst(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
    dependencies: [.package(name: "swift-network-client", path: "../..")],
    targets: [
        .target(name: "CTLS"),
        .target(name: "CTestSystem"),
        .target(
            name: "NetworkTestSupport",
            dependencies: ["CTLS", "CTestSystem"] + library,
            exclude: ["TLS/Fixtures"],
            swiftSettings: settings
        ),
        tests("NetworkTestSupportTests"),
        tests("WireTests"),
        tests("LongTests"),
        tests("MisuseTests"),
        tests("DocumentationTests", excluding: ["Prelude.swift.txt"]),
    ],
    swiftLanguageModes: [.v6]
)
