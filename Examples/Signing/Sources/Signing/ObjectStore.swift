import AWSSignature
import ExampleServer
import FlyingFox
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A store that is busy once, and accepts only what was signed with its key as it arrives.
actor ObjectStore {
    /// The signatures that have arrived, in their order.
    private(set) var signatures: [String] = []

    private let key: AWSKey

    init(key: AWSKey) {
        self.key = key
    }

    static func run(key: AWSKey, _ body: (URL, ObjectStore) async throws -> Void) async throws {
        let store = ObjectStore(key: key)
        func addRoutes(to server: HTTPServer) async {
            await server.appendRoute("PUT /tea/*") { request in try await store.put(request) }
        }
        try await ExampleServer.run(addingRoutes: addRoutes) { url in try await body(url, store) }
    }

    func put(_ request: HTTPRequest) async throws -> HTTPResponse {
        let authorization = request.headers[.authorization] ?? ""
        signatures.append(authorization.components(separatedBy: "Signature=").last ?? "")
        guard signatures.count > 1 else {
            let headers: HTTPHeaders = [HTTPHeader("Retry-After"): "1"]
            return HTTPResponse(statusCode: .serviceUnavailable, headers: headers)
        }
        let expected = try await sign(request, as: authorization)
        let isRight = expected == authorization
        return HTTPResponse(
            statusCode: isRight ? .ok : .forbidden,
            headers: [.contentType: "text/plain"],
            body: Data((isRight ? "The signature is right." : "The signature is wrong.").utf8)
        )
    }

    /// Signs a request that has arrived once more: its signed fields, at the date that it states.
    private func sign(_ request: HTTPRequest, as authorization: String) async throws -> String? {
        let names = authorization.split(separator: "SignedHeaders=").last?.prefix { $0 != "," } ?? ""
        guard let url = URL(string: "http://\(request.headers[.host] ?? "")\(request.path)") else { return nil }
        var received = URLRequest(url: url)
        received.httpMethod = request.method.rawValue
        received.httpBody = try await request.bodyData
        for name in names.split(separator: ";") where name != "host" && !name.hasPrefix("x-amz-") {
            received.setValue(request.headers[HTTPHeader(String(name))], forHTTPHeaderField: String(name))
        }
        let format = ISO8601DateFormatter()
        format.formatOptions = [.withYear, .withMonth, .withDay, .withTime, .withTimeZone]
        guard let date = format.date(from: request.headers[HTTPHeader("X-Amz-Date")] ?? "") else { return nil }
        let signer = AWSSigner(key: key, region: "eu-central-1", service: "s3", now: { date })
        return try signer.sign(received).first { $0.name == "Authorization" }?.value
    }
}
