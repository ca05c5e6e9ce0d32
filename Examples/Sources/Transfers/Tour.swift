import Foundation

/// All transfers of the program, with its own server.
struct Tour {
    /// A file that differs from the one that was sent.
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

        print("A download whose connection is lost half-way:")
        try await examples.download(server.appendingPathComponent("large"), to: file)
        guard try Data(contentsOf: file) == DemoServer.content else {
            throw Difference(description: "The downloaded file differs from the server's file.")
        }

        print("\nThe same file as an upload:")
        try await examples.upload(file, to: server.appendingPathComponent("upload"))

        print("\nA response, line by line as it arrives:")
        try await examples.stream(server.appendingPathComponent("lines"))
    }
}
