// swift-tools-version: 6.3

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    // For the package Rivals, whose dependencies take minutes to build.
    products: [.library(name: "BenchmarkSuite", targets: ["BenchmarkSuite"])],
    dependencies: [
        .package(name: "swift-network-client", path: "..")
    ],
    targets: [
        .target(name: "CMeasuring"),
        .target(name: "CServer"),
        // The programs that benchmarks start, which lie beside the running one: one measures other programs, and one
        // runs under a tool that counts instructions.
        .executableTarget(name: "MeasuredRun"),
        .executableTarget(name: "RequestCosts", dependencies: ["DescribedRequests"], swiftSettings: settings),
        .target(
            name: "DescribedRequests",
            dependencies: [.product(name: "NetworkUtilities", package: "swift-network-client")],
            swiftSettings: settings
        ),
        .target(
            name: "BenchmarkSuite",
            dependencies: [
                "CMeasuring", "CServer", "DescribedRequests", "MeasuredRun", "RequestCosts",
                .product(name: "NetworkClient", package: "swift-network-client"),
                .product(name: "NetworkClientTesting", package: "swift-network-client"),
                .product(name: "NetworkUtilities", package: "swift-network-client"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(name: "Benchmarks", dependencies: ["BenchmarkSuite"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
