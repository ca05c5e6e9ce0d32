// swift-tools-version: 6.3

import Foundation
import PackageDescription

// Inside the root's repository the root is used by path. Elsewhere it is used by version, and there are no tests, since
// they have links to those of the root.
let isInside = FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/../../Sources/NetworkClient")
let root: Package.Dependency =
    isInside
    ? .package(name: "swift-network-client", path: "../..")
    : .package(url: "https://github.com/OWNER/swift-network-client", .upToNextMinor(from: "0.1.0"))

// `.ci/weekly` builds with the lowest versions that are accepted; the tests may need newer ones.
let isLowest = Context.environment["NETWORK_CLIENT_LOWEST_VERSIONS"] != nil

func dependency(_ name: String, from version: Version) -> Package.Dependency {
    let url = "https://github.com/apple/\(name)"
    return isLowest ? .package(url: url, exact: version) : .package(url: url, from: version)
}

let settings: [SwiftSetting] =
    ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault"].map { .enableUpcomingFeature($0) }
    + (Context.environment["NETWORK_CLIENT_CHECKED"] == nil ? [] : [.treatAllWarnings(as: .error)])

let dependencies: [Target.Dependency] = [
    .product(name: "Logging", package: "swift-log"),
    .product(name: "Metrics", package: "swift-metrics"),
    .product(name: "NetworkClient", package: "swift-network-client"),
    .product(name: "Tracing", package: "swift-distributed-tracing"),
]

let testing: Target.Dependency = .product(name: "NetworkClientTesting", package: "swift-network-client")

let tests: [Target] = [
    // The microseconds of a call that the interceptors add.
    .executableTarget(
        name: "ObservabilityCost",
        dependencies: dependencies + [
            testing,
            "NetworkClientObservability",
            .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            .product(name: "MetricsTestKit", package: "swift-metrics"),
        ],
        swiftSettings: settings
    ),
    .testTarget(
        name: "NetworkClientObservabilityTests",
        dependencies: dependencies + [
            testing,
            "NetworkClientObservability",
            .product(name: "InMemoryLogging", package: "swift-log"),
            .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            .product(name: "MetricsTestKit", package: "swift-metrics"),
        ],
        swiftSettings: settings
    ),
]

let package = Package(
    name: "swift-network-client-observability",
    platforms: [.iOS(.v15), .macCatalyst(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
    products: [.library(name: "NetworkClientObservability", targets: ["NetworkClientObservability"])],
    dependencies: [
        root,
        dependency("swift-distributed-tracing", from: "1.1.0"),
        dependency("swift-log", from: "1.4.4"),
        dependency("swift-metrics", from: "2.7.0"),
    ],
    targets: [
        .target(
            name: "NetworkClientObservability",
            dependencies: dependencies,
            swiftSettings: settings
        )
    ] + (isInside && !isLowest ? tests : []),
    swiftLanguageModes: [.v6]
)
