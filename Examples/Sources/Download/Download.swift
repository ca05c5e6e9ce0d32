import Foundation
import NetworkClient
import NetworkUtilities
import Terminal

/// A download of 64 MB with a bar in the terminal; the connection is lost half-way, and the download is resumed.
@main
struct Download {
    /// A file that differs from the one that was sent.
    private struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    private static let client = NetworkClient()

    /// Downloads a file, and resumes once if the connection is lost.
    private static func download(_ url: URL, to file: URL) async throws {
        print("Downloading \(url.lastPathComponent) to \(file.lastPathComponent).")
        fflush(nil)
        let download = try client.download(.get(url: url), to: file, isResumable: true)
        do {
            try await show(download)
        } catch NetworkClient.Error.requestError(let error) where error.reason == .connectionLost {
            guard let token = download.resumeToken else { throw error }
            print("The connection was lost; requesting the remaining bytes.")
            try await show(client.download(.get(url: url), to: file, resuming: token))
        }
    }

    private static func show(_ download: NetworkClient::Download) async throws {
        var bar = ProgressBar()
        for await progress in download.progress { bar.show(progress) }
        bar.end()
        let response = try await download.value
        let file = response.item.map { "saved as \($0.lastPathComponent)" } ?? "nothing saved"
        print("\(response.statusCode), \(file)")
    }

    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            if arguments.isEmpty {
                try await LargeFileServer.run(visit)
            } else if arguments.count == 2, let url = URL(string: arguments[1]) {
                try await download(url, to: URL(fileURLWithPath: arguments[2]))
            } else {
                print("Usage: Download [URL FILE]")
                exit(EX_USAGE)
            }
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            exit(EXIT_FAILURE)
        }
    }

    private static func visit(_ server: URL) async throws {
        let name = "large-\(UUID().uuidString.prefix(8)).bin"
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        defer { try? FileManager.default.removeItem(at: file) }
        try await download(server.appendingPathComponent("large"), to: file)
        guard try Data(contentsOf: file) == LargeFileServer.content else {
            throw Difference(description: "The downloaded file differs from the server's file.")
        }
    }
}
