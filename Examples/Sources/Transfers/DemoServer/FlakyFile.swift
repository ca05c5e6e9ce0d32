import FlyingFox
import FlyingSocks
import Foundation

/// A file whose first answer breaks off in the middle.
actor FlakyFile {
    private let content: Data
    private var hasBroken = false

    init(content: Data) {
        self.content = content
    }

    func answer(_ request: HTTPRequest) -> HTTPResponse {
        let start = Self.start(of: request)
        var headers: HTTPHeaders = [.contentType: "application/octet-stream"]
        headers[HTTPHeader("ETag")] = "\"1\""
        if start > 0 { headers[.contentRange] = "bytes \(start)-\(content.count - 1)/\(content.count)" }
        let end = hasBroken ? content.count : content.count / 2
        hasBroken = true
        let bytes = BrokenBytes(content: content, start: start, end: end)
        let body = HTTPBodySequence(from: bytes, count: content.count - start, suggestedBufferSize: 1 << 16)
        return HTTPResponse(statusCode: start > 0 ? .partialContent : .ok, headers: headers, body: body)
    }

    private static func start(of request: HTTPRequest) -> Int {
        guard let range = request.headers[.range], range.hasPrefix("bytes=") else { return 0 }
        return Int(range.dropFirst("bytes=".count).prefix { $0 != "-" }) ?? 0
    }
}
