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

let library: [Target.Dependency] = [
    .product(name: "NetworkClient", package: "swift-network-client"),
    .product(name: "NetworkClientTesting", package: "swift-network-client"),
    .product(name: "NetworkUtilities", package: "swift-network-client"),
]

let openAPI: [Target.Dependency] = [
    .product(name: "HTTPTypes", package: "swift-http-types"),
    .product(name: "OpenAPIRuntime", package: "swift-openapi-runtime"),
]

let package = Package(
    name: "swift-network-client-openapi",
    platforms: [.iOS(.v15), .macCatalyst(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
    products: [.library(name: "NetworkClientOpenAPI", targets: ["NetworkClientOpenAPI"])],
    dependencies: [
        .package(name: "swift-network-client", path: "../.."),
        .package(name: "swift-network-client-http-types", path: "../HTTPTypes"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-openapi-runtime", from: "1.9.0"),
    ],
    targets: [
        .target(
            name: "NetworkClientOpenAPI",
            dependencies: library + openAPI + [
                .product(name: "NetworkClientHTTPTypes", package: "swift-network-client-http-types")
            ],
            swiftSettings: settings
        ),
        // The folders are links to those of the library's own tests.
        .target(name: "CTLS"),
        .target(name: "CTestSystem"),
        .target(
            name: "NetworkTestSupport",
            dependencies: ["CTLS", "CTestSystem"] + library,
            exclude: ["TLS/Fixtures"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkClientOpenAPITests",
            dependencies: ["NetworkClientOpenAPI", "NetworkTestSupport"] + library + openAPI,
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
