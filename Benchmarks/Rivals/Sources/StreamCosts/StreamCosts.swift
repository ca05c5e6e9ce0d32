import Foundation
import HTTPTypes
import NetworkClient
import NetworkClientHTTPTypes

/// Makes one kind of call some times, one after another, for a tool that counts instructions from outside.
///
/// The arguments are the kind, the number, and the server's URL.
///
/// The calls run on other threads, since the tool can't simulate a program whose main thread waits for tasks.
@main
struct StreamCosts {
    private enum Kind: String {
        /// The work of a gateway for a request: the conversion of both heads, and the body as it is on the wire.
        case gateway
        case stream, fetch
    }

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let kind = Kind(rawValue: arguments[1]), let count = Int(arguments[2]),
            let server = URL(string: arguments[3])
        else { exit(64) }
        Task.detached {
            do {
                let client = NetworkClient(logging: .off)
                for _ in 0..<count { try await call(kind, client, server) }
                exit(0)
            } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                exit(1)
            }
        }
        while true { sleep(1_000) }
    }

    private static func call(_ kind: Kind, _ client: NetworkClient, _ server: URL) async throws {
        switch kind {
        case .gateway:
            let options = CallOptions(acceptedStatuses: .all, redirects: .never, decodesBody: false)
            let response = try await client.stream(URLRequest(request, baseURL: server), options: options)
            _ = try HTTPResponse(response).headerFields.endToEnd
            for try await _ in response.item {}
        case .stream:
            let response = try await client.stream(URLRequest(url: server.appendingPathComponent("kilobyte")))
            for try await _ in response.item {}
        case .fetch:
            let request = URLRequest(url: server.appendingPathComponent("kilobyte"))
            _ = try await client.fetch(request, as: Data.self)
        }
    }

    /// What a browser's request to a gateway has.
    private static let request: HTTPRequest = {
        var request = HTTPRequest(method: .get, scheme: "http", authority: "gateway", path: "/kilobyte")
        request.headerFields = [
            .accept: "*/*", .userAgent: "load/1", .acceptLanguage: "en", .acceptEncoding: "gzip",
            .cacheControl: "no-cache", .cookie: "a=b; c=d", .referer: "http://gateway/", .ifNoneMatch: "\"1\"",
        ]
        return request
    }()
}
