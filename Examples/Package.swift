// swift-tools-version: 6.3

import PackageDescription

let dependencies: [Target.Dependency] = [
    "ExampleServer",
    .product(name: "NetworkClient", package: "swift-network-client"),
    .product(name: "NetworkUtilities", package: "swift-network-client"),
    .product(name: "FlyingFox", package: "FlyingFox"),
]

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v14)],
    products: [
        // For the examples in separate packages.
        .library(name: "ExampleServer", targets: ["ExampleServer"])
    ],
    dependencies: [
        .package(name: "swift-network-client", path: ".."),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .target(
            name: "ExampleServer",
            dependencies: [
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]
        ),
        .target(
            name: "Terminal",
            dependencies: [.product(name: "NetworkClient", package: "swift-network-client")],
            swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]
        ),
        .executableTarget(
            name: "http",
            dependencies: ["Terminal", .product(name: "NetworkClient", package: "swift-network-client")]
        ),
        .executableTarget(name: "Quickstart", dependencies: dependencies),
        .executableTarget(name: "Download", dependencies: dependencies + ["Terminal"]),
        .executableTarget(name: "Upload", dependencies: dependencies),
        .executableTarget(name: "Streaming", dependencies: dependencies),
        .executableTarget(name: "Events", dependencies: dependencies),
        .executableTarget(name: "Chat", dependencies: dependencies + ["Terminal"]),
        .executableTarget(name: "Resilience", dependencies: dependencies),
        .executableTarget(name: "Authentication", dependencies: dependencies),
        .executableTarget(name: "Endpoints", dependencies: dependencies),
    ],
    swiftLanguageModes: [.v6]
)
