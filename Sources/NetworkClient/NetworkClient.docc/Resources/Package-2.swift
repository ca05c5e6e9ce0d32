// swift-tools-version: 6.3

import PackageDescription

let networkClient: [Target.Dependency] = [
    .product(name: "NetworkClient", package: "swift-network-client"),
    .product(
        name: "NetworkClientTesting",
        package: "swift-network-client"
    ),
]

let package = Package(
    name: "Shop",
    platforms: [.macOS(.v12)],
    dependencies: [
        .package(
            url: "https://github.com/OWNER/swift-network-client",
            from: "0.1.0"
        )
    ],
    targets: [
        .executableTarget(name: "Shop", dependencies: networkClient),
        .testTarget(name: "ShopTests", dependencies: ["Shop"] + networkClient),
    ]
)
