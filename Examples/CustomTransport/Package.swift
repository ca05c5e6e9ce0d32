// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "CustomTransport",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Examples", path: ".."),
        .package(name: "swift-network-client", path: "../.."),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.7.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.26.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .executableTarget(
            name: "CustomTransport",
            dependencies: [
                .product(name: "NetworkClient", package: "swift-network-client"),
                .product(name: "NetworkUtilities", package: "swift-network-client"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                // The server that the program talks to.
                .product(name: "ExampleServer", package: "Examples"),
                .product(name: "FlyingFox", package: "FlyingFox"),
            ],
            swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]
        )
    ],
    swiftLanguageModes: [.v6]
)
