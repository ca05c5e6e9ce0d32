import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the steps of a builder have gathered so far.
struct RequestDraft: Sendable {
    let options: URLRequestBuilderOptions
    var method = HTTPMethod.get
    var target = URLDraft(url: RequestDraft.unset)
    var content: RequestContent?
    /// What the body step says of its bytes; any `Content-Type` among the headers goes before it.
    var contentType: MediaType?
    var headers = HeaderFields()

    init(options: URLRequestBuilderOptions) {
        self.options = options
    }

    mutating func begin(_ method: HTTPMethod, _ url: URL) {
        self.method = method
        target = URLDraft(url: url)
    }

    mutating func setBody(_ content: RequestContent, type: MediaType) {
        self.content = content
        contentType = type
    }

    func makeRequest() -> URLRequest {
        var request = URLRequest(url: target.url)
        request.httpMethod = method.rawValue
        switch content {
        case .data(let data): request.httpBody = data
        case .source(let source): request.httpBodyStream = BodyInputStream(source: source)
        case nil: break
        }
        let fields = headers.merged(defaultContentType: contentType)
        if !fields.isEmpty { request.allHTTPHeaderFields = fields }
        return request
    }

    /// Stands where no method has been chosen yet; no request can be built at that stage.
    private static let unset = URL(fileURLWithPath: "/")
}
