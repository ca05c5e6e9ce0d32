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

let dependencies: [Target.Dependency] = [
    .product(name: "HTTPTypes", package: "swift-http-types"),
    .product(name: "NetworkClient", package: "swift-network-client"),
]

let package = Package(
    name: "swift-network-client-http-types",
    platforms: [.iOS(.v15), .macCatalyst(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
    products: [.library(name: "NetworkClientHTTPTypes", targets: ["NetworkClientHTTPTypes"])],
    dependencies: [
        .package(name: "swift-network-client", path: "../.."),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    ],
    targets: [
        .target(name: "NetworkClientHTTPTypes", dependencies: dependencies, swiftSettings: settings),
        .testTarget(
            name: "NetworkClientHTTPTypesTests",
            dependencies: dependencies + [
                "NetworkClientHTTPTypes", .product(name: "NetworkClientTesting", package: "swift-network-client"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
