// swift-tools-version: 6.3

import CompilerPluginSupport
import Foundation
import PackageDescription

// Inside the root's repository the root is used by path. Elsewhere it is used by version, and there are no tests, since
// they have links to those of the root.
let isInside = FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/../../Sources/NetworkClient")
let root: Package.Dependency =
    isInside
    ? .package(name: "swift-network-client", path: "../..")
    : .package(url: "https://github.com/OWNER/swift-network-client", .upToNextMinor(from: "0.1.0"))

let settings: [SwiftSetting] =
    ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault"].map { .enableUpcomingFeature($0) }
    + (Context.environment["NETWORK_CLIENT_CHECKED"] == nil ? [] : [.treatAllWarnings(as: .error)])

func library(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-network-client") }

func syntax(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "swift-syntax") }
}

/// A module of an app that uses the macros with other settings than the library's own, or beside other modules.
func consumer(_ name: String, _ settings: [SwiftSetting] = [], beside others: [Target.Dependency] = []) -> Target {
    .target(
        name: name,
        dependencies: ["NetworkClientMacros"] + others,
        path: "Tests/Consumers/\(name)",
        swiftSettings: settings + [.treatAllWarnings(as: .error)]
    )
}

let tests: [Target] = [
    // What the tests of the root are written with, too: these folders are links to its own.
    .target(name: "CTLS"),
    .target(name: "CTestSystem"),
    .target(
        name: "NetworkTestSupport",
        dependencies: ["CTLS", "CTestSystem", library("NetworkClient"), library("NetworkUtilities")],
        exclude: ["TLS/Fixtures"],
        swiftSettings: settings
    ),
    .testTarget(
        name: "NetworkClientMacrosTests",
        dependencies: ["NetworkClientMacros", "NetworkTestSupport", library("NetworkClientTesting")],
        swiftSettings: settings
    ),
    .executableTarget(
        name: "Costs",
        dependencies: ["NetworkClientMacros", library("NetworkClient")],
        path: "Costs",
        swiftSettings: settings
    ),
    consumer("Swift5", [.swiftLanguageMode(.v5), .enableExperimentalFeature("StrictConcurrency")]),
    consumer("MainActorByDefault", [.defaultIsolation(MainActor.self)]),
    consumer("Others"),
    consumer("BesideOthers", beside: ["Others"]),
    .testTarget(
        name: "ExpansionTests",
        dependencies: ["NetworkClientMacrosPlugin"]
            + syntax(
                "SwiftDiagnostics",
                "SwiftParser",
                "SwiftSyntax",
                "SwiftSyntaxBuilder",
                "SwiftSyntaxMacroExpansion",
                "SwiftSyntaxMacros"
            ),
        swiftSettings: settings
    ),
]

let package = Package(
    name: "swift-network-client-macros",
    platforms: [.iOS(.v15), .macCatalyst(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
    products: [.library(name: "NetworkClientMacros", targets: ["NetworkClientMacros"])],
    dependencies: [
        root,
        // A range, since macros of other packages need swift-syntax, too.
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
    ],
    targets: [
        .macro(
            name: "NetworkClientMacrosPlugin",
            dependencies: syntax(
                "SwiftCompilerPlugin",
                "SwiftDiagnostics",
                "SwiftParser",
                "SwiftSyntax",
                "SwiftSyntaxBuilder",
                "SwiftSyntaxMacros"
            ),
            swiftSettings: settings
        ),
        .target(
            name: "NetworkClientMacros",
            dependencies: ["NetworkClientMacrosPlugin", library("NetworkClient")],
            swiftSettings: settings
        ),
    ] + (isInside ? tests : []),
    swiftLanguageModes: [.v6]
)
