// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "Signing",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "Examples", path: ".."),
        .package(name: "swift-network-client", path: "../.."),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .target(
            name: "AWSSignature",
            dependencies: [
                .product(name: "NetworkClient", package: "swift-network-client"),
                .product(name: "NetworkUtilities", package: "swift-network-client"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]
        ),
        .executableTarget(
            name: "Signing",
            dependencies: [
                "AWSSignature",
                .product(name: "NetworkClient", package: "swift-network-client"),
                .product(name: "NetworkUtilities", package: "swift-network-client"),
                // The server that the program talks to.
                .product(name: "ExampleServer", package: "Examples"),
                .product(name: "FlyingFox", package: "FlyingFox"),
            ]
        ),
        .testTarget(
            name: "AWSSignatureTests",
            dependencies: [
                "AWSSignature",
                .product(name: "NetworkUtilities", package: "swift-network-client"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
