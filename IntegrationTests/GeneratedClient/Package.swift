// swift-tools-version: 6.3

import PackageDescription

/// A client that swift-openapi-generator writes from a description, against a Hummingbird server.
///
/// The generator has to come from the network, so only the workflow runs these tests.
let package = Package(
    name: "GeneratedClient",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "swift-network-client", path: "../.."),
        .package(name: "swift-network-client-openapi", path: "../../Integrations/OpenAPI"),
        .package(url: "https://github.com/apple/swift-openapi-generator", from: "1.13.0"),
        .package(url: "https://github.com/apple/swift-openapi-runtime", from: "1.11.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .testTarget(
            name: "GeneratedClientTests",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NetworkClient", package: "swift-network-client"),
                .product(name: "NetworkClientOpenAPI", package: "swift-network-client-openapi"),
                .product(name: "NetworkClientTesting", package: "swift-network-client"),
                .product(name: "OpenAPIRuntime", package: "swift-openapi-runtime"),
            ],
            plugins: [.plugin(name: "OpenAPIGenerator", package: "swift-openapi-generator")]
        )
    ],
    swiftLanguageModes: [.v6]
)
