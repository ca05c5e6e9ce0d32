// swift-tools-version: 6.3

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// Rivals with many dependencies are in a separate package below this one. That package uses the harness, the server,
// and the benchmarks of requests and transfers, so these are products.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "BenchmarkHarness", targets: ["BenchmarkHarness"]),
        .library(name: "BenchmarkServer", targets: ["BenchmarkServer"]),
        .library(name: "RequestsBenchmark", targets: ["RequestsBenchmark"]),
        .library(name: "TransfersBenchmark", targets: ["TransfersBenchmark"]),
        .executable(name: "MeasuredRun", targets: ["MeasuredRun"]),
        .executable(name: "RequestServer", targets: ["RequestServer"]),
    ],
    dependencies: [
        .package(name: "swift-network-client", path: "..")
    ],
    targets: [
        .target(name: "CAllocations"),
        .target(name: "CInstructions"),
        .target(name: "BenchmarkHarness", dependencies: ["CAllocations", "CInstructions"], swiftSettings: settings),
        .target(name: "BenchmarkServer", dependencies: ["BenchmarkHarness"], swiftSettings: settings),
        .executableTarget(name: "MeasuredRun"),
        .executableTarget(name: "RequestServer"),
        .target(name: "CRequestLoads"),
        // Starts the server program, which lies beside the program that uses this library.
        .target(
            name: "RequestsBenchmark",
            dependencies: [
                "BenchmarkHarness",
                "BenchmarkServer",
                "CRequestLoads",
                "RequestServer",
                .product(name: "NetworkClient", package: "swift-network-client"),
            ],
            swiftSettings: settings
        ),
        // Starts the server program too, and a program that measures other programs.
        .target(
            name: "TransfersBenchmark",
            dependencies: [
                "BenchmarkHarness",
                "BenchmarkServer",
                "MeasuredRun",
                "RequestServer",
                .product(name: "NetworkClient", package: "swift-network-client"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "DescribedRequests",
            dependencies: [.product(name: "NetworkUtilities", package: "swift-network-client")],
            swiftSettings: settings
        ),
        // Runs under a tool that counts instructions; Benchmarks depends on it so that both are built.
        .executableTarget(name: "RequestCosts", dependencies: ["DescribedRequests"], swiftSettings: settings),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "BenchmarkHarness",
                "BenchmarkServer",
                "DescribedRequests",
                "RequestCosts",
                "RequestsBenchmark",
                "TransfersBenchmark",
                .product(name: "NetworkClient", package: "swift-network-client"),
                .product(name: "NetworkUtilities", package: "swift-network-client"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
