#if os(macOS) || os(Linux)
import Foundation
import NetworkTestSupport

extension SwiftCompiler {
    /// Compiles what a section of a tutorial changes in the reader's package: the manifest, each folder of `Sources` as
    /// a module, and each folder of `Tests` as a module that can import the others.
    ///
    /// - Parameter section: The section.
    /// - Returns: The errors and warnings, with the names of the files in the documentation.
    /// - Throws: ``Failure``, or what keeps the files from being written.
    func diagnostics(in section: Tutorial.Section) async throws -> [Diagnostic] {
        var found: [Diagnostic] = []
        if section.changed.contains(Tutorial.manifest) {
            found += try await diagnostics(in: [Tutorial.manifest], of: section, options: manifestOptions(of: section))
        }
        guard section.changed != [Tutorial.manifest] else { return found }
        let modules = try TemporaryDirectory()
        defer { withExtendedLifetime(modules) {} }
        let tests = targets(in: "Tests", of: section)
        for (name, paths) in targets(in: "Sources", of: section) {
            let module = modules.url.appendingPathComponent("\(name).swiftmodule").path
            let options = tests.isEmpty ? [] : ["-enable-testing", "-emit-module-path", module]
            found += try await diagnostics(in: paths, of: section, options: ["-module-name", name] + options)
        }
        // Without its modules, a test has errors that are not its own.
        guard !found.contains(where: \.isError) else { return found }
        for (name, paths) in tests {
            let options = ["-module-name", name, "-I", modules.url.path] + testingOptions
            found += try await diagnostics(in: paths, of: section, options: options)
        }
        return found
    }

    /// The paths of the files of each target, by its name, in the order of the names.
    private func targets(in folder: String, of section: Tutorial.Section) -> [(name: String, paths: [String])] {
        let paths = section.files.keys.filter { $0.hasPrefix(folder + "/") }
        let targets = Dictionary(grouping: paths) { String($0.split(separator: "/")[1]) }
        return targets.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func manifestOptions(of section: Tutorial.Section) -> [String] {
        let first = section.files[Tutorial.manifest]?.text.prefix { $0 != "\n" } ?? ""
        return manifestOptions(toolsVersion: String(first.drop { !$0.isNumber }))
    }

    private func diagnostics(
        in paths: [String],
        of section: Tutorial.Section,
        options: [String]
    ) async throws -> [Diagnostic] {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        var names: [String: String] = [:]
        for path in paths {
            guard let file = section.files[path] else { continue }
            // The name decides whether the file may have statements at the top level.
            let name = URL(fileURLWithPath: path).lastPathComponent
            names[try directory.file(name, file.text).path] = file.name
        }
        let files = names.keys.sorted().map { URL(fileURLWithPath: $0) }
        return try await diagnostics(in: files, check: .flow, options: options).map { diagnostic in
            var diagnostic = diagnostic
            diagnostic.file = names[diagnostic.file] ?? diagnostic.file
            return diagnostic
        }
    }
}
#endif
