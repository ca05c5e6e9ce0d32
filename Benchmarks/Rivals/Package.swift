// swift-tools-version: 6.3

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Rivals",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Benchmarks", path: ".."),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.36.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
    ],
    targets: [
        .executableTarget(
            name: "Rivals",
            dependencies: [
                .product(name: "BenchmarkHarness", package: "Benchmarks"),
                .product(name: "RequestsBenchmark", package: "Benchmarks"),
                .product(name: "TransfersBenchmark", package: "Benchmarks"),
                // The programs that the benchmarks start, built beside this one.
                .product(name: "MeasuredRun", package: "Benchmarks"),
                .product(name: "RequestServer", package: "Benchmarks"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                "SecureServer",
            ],
            swiftSettings: settings
        ),
        // Run by the benchmark `secure`.
        .executableTarget(
            name: "SecureServer",
            dependencies: [
                .product(name: "BenchmarkHarness", package: "Benchmarks"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
