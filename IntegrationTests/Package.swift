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

/// Tests against servers and clients that others have written; `./install` installs them.
let package = Package(
    name: "IntegrationTests",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "swift-network-client", path: "..")],
    targets: [
        .testTarget(
            name: "IntegrationTests",
            dependencies: [.product(name: "NetworkClient", package: "swift-network-client")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "CacheScore",
            dependencies: [.product(name: "NetworkClient", package: "swift-network-client")],
            exclude: ["run-suite.mjs"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Autobahn",
            dependencies: [.product(name: "NetworkClient", package: "swift-network-client")],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
