import Foundation
import NetworkTestSupport

@testable import NetworkClient

/// A server that sends parts of one resource, and whose connections break off.
final class ResourceServer: Sendable {
    /// The resource, and the behaviour of the server for a request.
    struct Behaviour: Sendable {
        var content: [UInt8]
        /// The fields that name the state of the resource.
        var fields: WireFields = ["ETag": "\"1\""]
        /// How many bytes are sent before the connection is reset; nil for all.
        var breaksAfter: Int?
        /// Whether all bytes are sent in chunks, and the last chunk, which says so, is not.
        var isCutOff = false
        var knowsRanges = true
        /// Replaces the response to a range; its parameter is the requested offset.
        var partial: (@Sendable (Int) -> Script)?
    }

    let server: LoopbackServer

    /// Starts a server; the closure returns its behaviour for each request, the first being 0.
    init(_ behaviour: @escaping @Sendable (Int) -> Behaviour) throws {
        let count = Locked(0)
        server = try LoopbackServer { request in
            let index = count.withLock { count in
                defer { count += 1 }
                return count
            }
            return Self.answer(request, behaviour(index))
        }
    }

    var url: URL { server.url("/file") }

    /// The `Range` fields of the requests, "none" where there was none.
    var ranges: [String] { server.requests.map { $0.value(forHeader: "Range") ?? "none" } }

    private static func answer(_ request: RecordedRequest, _ behaviour: Behaviour) -> Script {
        let content = behaviour.content
        let state = behaviour.fields.first { ["ETag", "Last-Modified"].contains($0.name) }?.value
        let isSameState = request.value(forHeader: "If-Range").map { $0 == state } ?? true
        var start = 0
        if behaviour.knowsRanges, isSameState, let range = request.value(forHeader: "Range") {
            start = Int(range.dropFirst("bytes=".count).prefix { $0 != "-" }) ?? 0
            if let partial = behaviour.partial { return partial(start) }
            guard start < content.count else {
                return .respond(status: 416, headers: ["Content-Range": "bytes */\(content.count)"])
            }
        }
        var fields = behaviour.fields
        if start > 0 {
            let part = "bytes \(start)-\(content.count - 1)/\(content.count)"
            fields.append(WireField(name: "Content-Range", value: part))
        }
        let body = Array(content[start...])
        let status = start > 0 ? 206 : 200
        if behaviour.isCutOff {
            fields.append(WireField(name: "Transfer-Encoding", value: "chunked"))
            return [.respond(status: status, headers: fields, length: .omitted), .chunk(body), .closeWrite]
        }
        guard let end = behaviour.breaksAfter, end < body.count else {
            return .respond(status: status, headers: fields, body: body)
        }
        let part = Array(body[..<end])
        return [.respond(status: status, headers: fields, length: .stated(body.count), body: part), .closeWrite]
    }
}
