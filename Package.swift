// swift-tools-version: 6.3

import PackageDescription

// For `.ci/run`.
let warnings: [SwiftSetting] =
    Context.environment["NETWORK_CLIENT_CHECKED"] == nil ? [] : [.treatAllWarnings(as: .error)]

let settings: [SwiftSetting] =
    warnings + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]

// Apple's tools look for the privacy manifest in a bundle; elsewhere a bundle would only be one more file to ship.
#if canImport(Darwin)
let privacyManifest: [Resource] = [.process("PrivacyInfo.xcprivacy")]
let unusedFiles: [String] = []
#else
let privacyManifest: [Resource] = []
let unusedFiles = ["PrivacyInfo.xcprivacy"]
#endif

let package = Package(
    name: "swift-network-client",
    platforms: [.iOS(.v15), .macCatalyst(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "NetworkUtilities", targets: ["NetworkUtilities"]),
        .library(name: "NetworkClient", targets: ["NetworkClient"]),
        // For targets of tests only.
        .library(name: "NetworkClientTesting", targets: ["NetworkClientTesting"]),
    ],
    targets: [
        .target(
            name: "NetworkUtilities",
            exclude: unusedFiles,
            resources: privacyManifest,
            swiftSettings: settings
        ),
        .target(name: "CStack"),
        .target(
            name: "JSONDecoding",
            dependencies: ["NetworkUtilities", .target(name: "CStack", condition: .when(platforms: [.linux]))],
            swiftSettings: settings + [.strictMemorySafety()]
        ),
        .target(name: "CCurl"),
        .target(
            name: "NetworkClient",
            dependencies: [
                "JSONDecoding", "NetworkUtilities", .target(name: "CCurl", condition: .when(platforms: [.linux])),
            ],
            exclude: ["Transports/Curl/ENGINE.md", "Transports/Curl/VERSIONS.md"] + unusedFiles,
            resources: privacyManifest,
            swiftSettings: settings
        ),
        .target(
            name: "NetworkClientTesting",
            dependencies: ["JSONDecoding", "NetworkClient"],
            swiftSettings: settings
        ),
        .target(name: "CTLS", path: "Tests/CTLS"),
        .target(name: "CTestSystem", path: "Tests/CTestSystem"),
        .target(
            name: "NetworkTestSupport",
            dependencies: ["CTLS", "CTestSystem", "NetworkClient", "NetworkUtilities"],
            path: "Tests/NetworkTestSupport",
            exclude: ["TLS/Fixtures"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkUtilitiesTests",
            dependencies: ["NetworkUtilities", "NetworkTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkClientTests",
            dependencies: [
                "JSONDecoding", "NetworkClient", "NetworkClientTesting", "NetworkUtilities", "NetworkTestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkClientTestingTests",
            dependencies: ["JSONDecoding", "NetworkClient", "NetworkClientTesting", "NetworkTestSupport"],
            swiftSettings: settings
        ),
        // Sees no more of the package than its users do.
        .testTarget(
            name: "ContractTests",
            dependencies: ["NetworkClient", "NetworkClientTesting", "NetworkUtilities", "NetworkTestSupport"],
            packageAccess: false,
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
