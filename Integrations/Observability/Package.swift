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

let testing: Target.Dependency = .product(name: "NetworkClientTesting", package: "swift-network-client")
let client: Target.Dependency = .product(name: "NetworkClient", package: "swift-network-client")

let package = Package(
    name: "swift-network-client-observability",
    platforms: [.iOS(.v15), .macCatalyst(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
    products: [.library(name: "NetworkClientObservability", targets: ["NetworkClientObservability"])],
    dependencies: [
        .package(name: "swift-network-client", path: "../.."),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "NetworkClientObservability",
            dependencies: [
                client,
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: settings
        ),
        // The microseconds of a call that the interceptors add.
        .executableTarget(
            name: "ObservabilityCost",
            dependencies: [
                client,
                testing,
                "NetworkClientObservability",
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkClientObservabilityTests",
            dependencies: [
                client,
                testing,
                "NetworkClientObservability",
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
