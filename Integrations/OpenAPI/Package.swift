// swift-tools-version: 6.3

import Foundation
import PackageDescription

// Inside the root's repository the root is used by path. Elsewhere it is used by version, and there are no tests, since
// they have links to those of the root.
let isInside = FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/../../Sources/NetworkClient")
let root: Package.Dependency =
    isInside
    ? .package(name: "swift-network-client", path: "../..")
    : .package(url: "https://github.com/OWNER/swift-network-client", .upToNextMinor(from: "0.1.0"))
let conversions: Package.Dependency =
    isInside
    ? .package(name: "swift-network-client-http-types", path: "../HTTPTypes")
    : .package(url: "https://github.com/OWNER/swift-network-client-http-types", .upToNextMinor(from: "0.1.0"))

let settings: [SwiftSetting] =
    ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault"].map { .enableUpcomingFeature($0) }
    + (Context.environment["NETWORK_CLIENT_CHECKED"] == nil ? [] : [.treatAllWarnings(as: .error)])

let dependencies: [Target.Dependency] = [
    .product(name: "HTTPTypes", package: "swift-http-types"),
    .product(name: "NetworkClient", package: "swift-network-client"),
    .product(name: "OpenAPIRuntime", package: "swift-openapi-runtime"),
]

let utilities: Target.Dependency = .product(name: "NetworkUtilities", package: "swift-network-client")

let tests: [Target] = [
    // The folders are links to those of the root's own tests.
    .target(name: "CTLS"),
    .target(name: "CTestSystem"),
    .target(
        name: "NetworkTestSupport",
        dependencies: [
            "CTLS", "CTestSystem", .product(name: "NetworkClient", package: "swift-network-client"), utilities,
        ],
        exclude: ["TLS/Fixtures"],
        swiftSettings: settings
    ),
    .testTarget(
        name: "NetworkClientOpenAPITests",
        dependencies: dependencies + [
            "NetworkClientOpenAPI",
            "NetworkTestSupport",
            .product(name: "NetworkClientTesting", package: "swift-network-client"),
            utilities,
        ],
        swiftSettings: settings
    ),
]

let package = Package(
    name: "swift-network-client-openapi",
    platforms: [.iOS(.v15), .macCatalyst(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
    products: [.library(name: "NetworkClientOpenAPI", targets: ["NetworkClientOpenAPI"])],
    dependencies: [
        root,
        conversions,
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-openapi-runtime", from: "1.9.0"),
    ],
    targets: [
        .target(
            name: "NetworkClientOpenAPI",
            dependencies: dependencies + [
                .product(name: "NetworkClientHTTPTypes", package: "swift-network-client-http-types")
            ],
            swiftSettings: settings
        )
    ] + (isInside ? tests : []),
    swiftLanguageModes: [.v6]
)
