#if os(macOS) || os(Linux)
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension SwiftCompiler {
    /// The reason why the compiler is missing, or has failed.
    package struct Failure: Error, CustomStringConvertible {
        /// The sentence for the test's message.
        package let description: String
    }

    /// Finds the compiler and the modules that belong to the running tests.
    ///
    /// - Throws: ``Failure`` if either is missing. On Linux, where both always exist, that fails the tests.
    package init() throws {
        guard let compiler = Self.candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) })
        else {
            throw Failure(description: "No swiftc was found beside the running toolchain or in PATH.")
        }
        let tests = try Self.testExecutable()
        guard let modules = Self.modules(above: tests) else {
            throw Failure(description: "NetworkClient.swiftmodule was not found near \(tests.path).")
        }
        self.executable = compiler
        self.build = Self.build(of: modules)
        self.searchArguments = Self.sdkArguments + Self.searchArguments(for: modules)
    }

    /// Whether both can be found, for skipping suites where they can't.
    package static var isAvailable: Bool {
        #if os(Linux)
        true
        #else
        (try? SwiftCompiler()) != nil
        #endif
    }

    /// The options for a `Package.swift`, whose module has a separate folder in the toolchain.
    ///
    /// The version is the one in the first line of the manifest, such as `6.3`.
    package func manifestOptions(toolsVersion: String) -> [String] {
        let modules = toolchain.appendingPathComponent("lib/swift/pm/ManifestAPI")
        return ["-package-description-version", toolsVersion, "-I", modules.path]
    }

    /// The options for files that import Swift Testing, which Apple keeps neither in the SDK nor with other macros.
    package var testingOptions: [String] {
        #if os(Linux)
        []
        #else
        let developer = Self.sdkArguments.last.map {
            URL(fileURLWithPath: $0).deletingLastPathComponent().deletingLastPathComponent()
        }
        // With Xcode, and with the command line tools alone.
        let frameworks = ["Library/Frameworks", "Library/Developer/Frameworks"].compactMap { folder in
            developer?.appendingPathComponent(folder).path
        }
        let plugins = toolchain.appendingPathComponent("lib/swift/host/plugins/testing").path
        return frameworks.filter(FileManager.default.fileExists).flatMap { ["-F", $0] } + ["-plugin-path", plugins]
        #endif
    }

    /// The folder `usr` of the toolchain.
    private var toolchain: URL { executable.deletingLastPathComponent().deletingLastPathComponent() }

    /// The candidates, first the compiler of the standard library in use: other versions can't read the modules.
    private static var candidates: [URL] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map { URL(fileURLWithPath: String($0), isDirectory: true) }
        return (toolchainFolders + folders).map { $0.appendingPathComponent("swiftc") }
    }

    private static var toolchainFolders: [URL] {
        #if os(Linux)
        // The size of this file is reported as 0, so it must be read as a stream.
        let maps = (try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()) ?? Data()
        let library = String(decoding: maps, as: UTF8.self).split(separator: "\n")
            .first { $0.hasSuffix("/lib/swift/linux/libswiftCore.so") }
            .flatMap { $0.firstIndex(of: "/").map($0.suffix(from:)) }
        guard let library else { return [] }
        let usr = (0..<4).reduce(URL(fileURLWithPath: String(library))) { url, _ in url.deletingLastPathComponent() }
        return [usr.appendingPathComponent("bin")]
        #else
        // Before PATH, whose compiler may have another version than the Xcode that runs the tests.
        return xcrun("--find", "swiftc").map { [URL(fileURLWithPath: $0).deletingLastPathComponent()] } ?? []
        #endif
    }

    #if os(Linux)
    private static let sdkArguments: [String] = []
    #else
    /// The path of the SDK, which a compiler only knows if it is started as `/usr/bin/swiftc`.
    private static let sdkArguments = xcrun("--sdk", "macosx", "--show-sdk-path").map { ["-sdk", $0] } ?? []

    /// Returns the output of `xcrun`; nil if it fails, as without Xcode and its command line tools.
    private static func xcrun(_ arguments: String...) -> String? {
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/xcrun")
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? text.trimmingCharacters(in: .newlines) : nil
    }
    #endif

    /// The image of the tests, which on Apple platforms is a bundle in a process of the toolchain.
    private static func testExecutable() throws -> URL {
        #if canImport(Darwin)
        var image = Dl_info()
        if dladdr(#dsohandle, &image) != 0, let name = image.dli_fname {
            return URL(fileURLWithPath: String(cString: name))
        }
        #else
        if let executable = Bundle.main.executableURL { return executable.resolvingSymlinksInPath() }
        #endif
        throw Failure(description: "The path of the running tests is not known.")
    }

    /// The folder of the modules: SwiftPM's `Modules` beside the tests, or with Xcode the folder of the tests.
    private static func modules(above executable: URL) -> URL? {
        var folder = executable
        while folder.pathComponents.count > 1 {
            folder = folder.deletingLastPathComponent()
            for candidate in [folder.appendingPathComponent("Modules"), folder] {
                let module = candidate.appendingPathComponent("NetworkClient.swiftmodule")
                if FileManager.default.fileExists(atPath: module.path) { return candidate }
            }
        }
        return nil
    }

    private static func searchArguments(for modules: URL) -> [String] {
        ["-I", modules.path, "-module-cache-path", moduleCache(for: build(of: modules)).path]
            + moduleMaps(for: build(of: modules)).flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
    }

    private static func build(of modules: URL) -> URL {
        modules.lastPathComponent == "Modules" ? modules.deletingLastPathComponent() : modules
    }

    /// A folder for the compiler's module cache, beside the build if that is writable.
    ///
    /// The build's own cache can't be shared if the build used another path to it (a link). If another user has built
    /// the tests, the folder is among the temporary files.
    static func moduleCache(for build: URL) -> URL {
        let manager = FileManager.default
        let name = "ModuleCache.tests"
        let cache = build.appendingPathComponent(name)
        try? manager.createDirectory(at: cache, withIntermediateDirectories: true)
        if manager.isWritableFile(atPath: cache.path) { return cache }
        return manager.temporaryDirectory.appendingPathComponent("\(name)-\(geteuid())")
    }

    /// The module maps of the C targets, without which the package's modules can't be imported.
    ///
    /// A map is in the target's sources, or the build makes one; a map of an older build may remain beside the new one,
    /// and so may one for the tools of macros.
    private static func moduleMaps(for build: URL) -> [URL] {
        let sources = PackageFiles.root.appendingPathComponent("Sources")
        let written = PackageFiles.files(in: sources, depth: 3)
            .filter { $0.path.hasSuffix("/include/module.modulemap") }
        let names = written.map { $0.deletingLastPathComponent().deletingLastPathComponent().lastPathComponent }
        let made = PackageFiles.files(in: build, depth: 2).filter { file in
            file.path.hasSuffix(".build/module.modulemap") && !file.path.hasSuffix("-tool.build/module.modulemap")
                && !names.contains(file.deletingLastPathComponent().deletingPathExtension().lastPathComponent)
        }
        return written + made
    }
}
#endif
