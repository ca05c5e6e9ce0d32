import Foundation

/// All that the program can do, with its own server.
struct Tour {
    /// A file did not come as it was sent.
    struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    let server: URL
    let examples: TransferExamples

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Transfers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("large.bin")

        print("A download, whose connection is lost on the way:")
        try await examples.download(server.appendingPathComponent("large"), to: file)
        guard try Data(contentsOf: file) == DemoServer.content else {
            throw Difference(description: "The file is not what the server has.")
        }

        print("\nThe same file as an upload:")
        try await examples.upload(file, to: server.appendingPathComponent("upload"))

        print("\nAn answer, line by line as it comes:")
        try await examples.stream(server.appendingPathComponent("lines"))
    }
}
