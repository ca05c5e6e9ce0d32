import ExampleServer
import FlyingFox
import Foundation
import NetworkClient
import NetworkUtilities

/// A file of 64 MB as a body, and the same file in a form; it is read while it is being sent, never as a whole.
@main
struct Upload {
    /// A number of bytes that differs from the expected one.
    private struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    private static let client = NetworkClient()

    /// Sends a file, and prints how much of it was sent at each quarter; returns the server's response.
    private static func upload(_ file: URL, to url: URL) async throws -> String {
        try await show(client.upload(.put(url: url).bodyFile(at: file), as: String.self))
    }

    /// Sends a field and a file as a form.
    private static func uploadForm(_ file: URL, to url: URL) async throws -> String {
        let form = try MultipartForm {
            MultipartPart(name: "title", text: "A large file")
            try MultipartPart(name: "file", file: .init(file: file))
        }
        return try await show(client.upload(.post(url: url).bodyMultipart(form), as: String.self))
    }

    private static func show(_ upload: Transfer<NetworkClient.Response<String>>) async throws -> String {
        var quarters = 0
        for await progress in upload.progress {
            let reached = Int((progress.fraction ?? 0) * 4)
            if reached > quarters { print("  \(reached * 25) %, \(progress.completed) bytes") }
            quarters = reached
        }
        let response = try await upload.value
        print("  \(response.statusCode): \(response.item)")
        return response.item
    }

    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            if arguments.isEmpty {
                try await ExampleServer.run(addingRoutes: addRoutes, visit)
            } else if arguments.count == 2, let url = URL(string: arguments[2]) {
                _ = try await upload(URL(fileURLWithPath: arguments[1]), to: url)
            } else {
                print("Usage: Upload [FILE URL]")
                exit(EX_USAGE)
            }
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            exit(EXIT_FAILURE)
        }
    }

    private static func visit(_ server: URL) async throws {
        let size = 64_000_000
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("Upload-\(UUID().uuidString).bin")
        try Data(count: size).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }

        print("A file as the body of a PUT:")
        fflush(nil)
        let received = try await upload(file, to: server.appendingPathComponent("file"))
        guard received == "\(size) bytes received" else {
            throw Difference(description: "The server should have received \(size) bytes: \(received).")
        }
        print("The same file in a form:")
        _ = try await uploadForm(file, to: server.appendingPathComponent("form"))
    }

    private static func addRoutes(to server: HTTPServer) async {
        await server.appendRoute("PUT /file", handler: count)
        await server.appendRoute("POST /form", handler: count)
    }

    private static func count(_ request: HTTPRequest) async throws -> HTTPResponse {
        var count = 0
        for try await chunk in request.bodySequence { count += chunk.count }
        let text = Data("\(count) bytes received".utf8)
        return HTTPResponse(statusCode: .ok, headers: [.contentType: "text/plain"], body: text)
    }
}
