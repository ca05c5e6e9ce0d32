import Foundation
import NetworkUtilities

/// Compiles a chain in the wrong order, with the compiler of the path and the modules that the tour was built with.
struct WrongOrder: Step {
    let title = "What the compiler says about a wrong order"
    let code = Snippet(lines: [
        "try await client.fetch(",
        "    .get(path: \"items\")",
        "        .set(header: .language(value: \"el\"))",
        "        .add(query: \"page\", value: 1)",
        ")",
    ])

    func run() throws -> [Fact] {
        guard let build = Self.build else {
            return [Fact("compiler", "not run: the modules that the tour was built with are not beside the program")]
        }
        let output = try compile(build)
        let errors = output.split(separator: "\n").compactMap { line in
            line.range(of: ": error: ").map { String(line[$0.upperBound...]) }
        }
        try expect("The number of errors", errors.count, is: 1)
        try expect("That the error is \"\(Self.message)\"", errors.first?.hasSuffix(Self.message), is: true)
        return [Fact("compiler", lines: errors.map { "error: \($0)" })]
    }

    /// Type-checks the code as the body of a function, and returns what the compiler writes.
    private func compile(_ build: URL) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "quickstart-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, log) = (folder.appending(path: "WrongOrder.swift"), folder.appending(path: "log.txt"))
        try Data((Self.beginning + code.lines + ["}"]).joined(separator: "\n").utf8).write(to: file)
        try Data().write(to: log)
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style=llvm"]
        compiler.arguments? += ["-I", build.appending(path: "Modules").path, "-module-cache-path", folder.path]
        compiler.arguments? += try Self.moduleMaps(in: build) + [file.path]
        compiler.standardInput = FileHandle.nullDevice
        compiler.standardOutput = FileHandle.nullDevice
        compiler.standardError = try FileHandle(forWritingTo: log)
        try compiler.run()
        compiler.waitUntilExit()
        return try String(contentsOf: log, encoding: .utf8)
    }

    private static let beginning = [
        "import NetworkClient", "func wrongOrder(client: NetworkClient) async throws {",
    ]

    /// The end of the message, which also names the order of all steps.
    private static let message = "query steps come before the headers: move this call in front of the first header step"

    /// The folder of the program, which has the modules; nil if only the program was kept.
    private static var build: URL? {
        let program = Bundle.main.executableURL?.resolvingSymlinksInPath()
        let folder = program?.deletingLastPathComponent()
        return folder.flatMap { FileManager.default.fileExists(atPath: $0.appending(path: "Modules").path) ? $0 : nil }
    }

    /// The options with the module maps of the C targets, without which the modules can't be imported.
    private static func moduleMaps(in build: URL) throws -> [String] {
        let targets = try FileManager.default.contentsOfDirectory(at: build, includingPropertiesForKeys: nil)
        let maps = targets.map { $0.appending(path: "module.modulemap").path }
        return maps.filter(FileManager.default.fileExists).flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    }
}
