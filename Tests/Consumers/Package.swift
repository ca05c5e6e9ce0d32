// swift-tools-version: 6.3

import PackageDescription

/// A module of an app that uses the library with other settings than the library's own.
///
/// All of them compile the same file, to which the one in each folder is a link, with one import.
func consumer(_ name: String, _ settings: [SwiftSetting]) -> Target {
    .target(
        name: name,
        dependencies: [.product(name: "NetworkClient", package: "swift-network-client")],
        swiftSettings: settings + [.treatAllWarnings(as: .error)]
    )
}

let package = Package(
    name: "Consumers",
    platforms: [.iOS(.v15), .macCatalyst(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
    dependencies: [.package(name: "swift-network-client", path: "../..")],
    targets: [
        consumer(
            "MemberImportVisibility",
            [.enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("InternalImportsByDefault")]
        ),
        consumer("NonsendingByDefault", [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
        consumer("MainActorByDefault", [.defaultIsolation(MainActor.self)]),
        consumer("Swift5", [.swiftLanguageMode(.v5)]),
        consumer("Swift5Checked", [.swiftLanguageMode(.v5), .enableExperimentalFeature("StrictConcurrency")]),
        // What the library's own interceptors and transports do, written with the public API only.
        .testTarget(
            name: "StrangersTests",
            dependencies: [.product(name: "NetworkClientTesting", package: "swift-network-client")],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
    ]
)
