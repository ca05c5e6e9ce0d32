// swift-tools-version: 6.3

import PackageDescription

/// Random inputs for the readers of what others write, to be run with a sanitizer.
///
/// Some files in `Sources` are links to those of the tests.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-network-client", path: "../..")],
    targets: [
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                .product(name: "NetworkClient", package: "swift-network-client"),
                .product(name: "NetworkClientTesting", package: "swift-network-client"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
