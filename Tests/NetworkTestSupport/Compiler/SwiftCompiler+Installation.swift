#if os(macOS) || os(Linux)
import Foundation

#if canImport(Darwin)
import Darwin
#endif

extension SwiftCompiler {
    /// Why there is no compiler, or no answer from it.
    package struct Failure: Error, CustomStringConvertible {
        /// One sentence.
        package let description: String
    }

    /// Finds the compiler and the modules that belong to the running tests.
    ///
    /// - Throws: ``Failure`` if either is missing. Tests let it fail them on Linux, where both are always there.
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
        self.searchArguments = Self.searchArguments(for: modules)
    }

    /// Whether both can be found; a suite that is enabled only then is skipped where they cannot be.
    package static var isAvailable: Bool {
        #if os(Linux)
        true
        #else
        (try? SwiftCompiler()) != nil
        #endif
    }

    /// The compiler that goes with the standard library in use comes first: another version can't read our modules.
    private static var candidates: [URL] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map { URL(fileURLWithPath: String($0), isDirectory: true) }
        return (toolchainFolders + folders).map { $0.appendingPathComponent("swiftc") }
    }

    private static var toolchainFolders: [URL] {
        #if os(Linux)
        // The size of this file reads as 0, so it has to be read as a stream.
        let maps = (try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()) ?? Data()
        let library = String(decoding: maps, as: UTF8.self).split(separator: "\n")
            .first { $0.hasSuffix("/lib/swift/linux/libswiftCore.so") }
            .flatMap { $0.firstIndex(of: "/").map($0.suffix(from:)) }
        guard let library else { return [] }
        let usr = (0..<4).reduce(URL(fileURLWithPath: String(library))) { url, _ in url.deletingLastPathComponent() }
        return [usr.appendingPathComponent("bin")]
        #else
        []
        #endif
    }

    /// On Apple platforms the tests are a bundle inside a process of the toolchain's, so its own image is asked.
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

    /// SwiftPM keeps the modules in `Modules` beside the tests, Xcode beside the tests themselves.
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
        let build = modules.lastPathComponent == "Modules" ? modules.deletingLastPathComponent() : modules
        // A cache of our own: one that the build reached by another path (a link) can't be shared with it.
        let cache = build.appendingPathComponent("ModuleCache.tests")
        return ["-I", modules.path, "-module-cache-path", cache.path]
            + moduleMaps(for: build).flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
    }

    /// A module of ours can only be imported if the C modules that it uses are found as well.
    ///
    /// Their maps are in their sources, or the build makes them; one that it made before there was one is left lying.
    private static func moduleMaps(for build: URL) -> [URL] {
        let sources = PackageFiles.root.appendingPathComponent("Sources")
        let written = PackageFiles.files(in: sources, depth: 3)
            .filter { $0.path.hasSuffix("/include/module.modulemap") }
        let names = written.map { $0.deletingLastPathComponent().deletingLastPathComponent().lastPathComponent }
        let made = PackageFiles.files(in: build, depth: 2).filter { file in
            file.path.hasSuffix(".build/module.modulemap")
                && !names.contains(file.deletingLastPathComponent().deletingPathExtension().lastPathComponent)
        }
        return written + made
    }
}
#endif
