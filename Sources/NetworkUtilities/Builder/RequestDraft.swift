import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the steps of a builder have gathered so far.
struct RequestDraft: Sendable {
    let options: URLRequestBuilderOptions
    var method = HTTPMethod.get
    /// The base URL until a method is chosen.
    var target: URLDraft
    private var body: Body?
    /// What the body step says of its bytes; any `Content-Type` among the headers goes before it.
    var contentType: MediaType?
    var headers = HeaderFields()
    /// In seconds; nil for what `URLRequest` has without one.
    var timeout: TimeInterval?
    var cachePolicy: URLRequest.CachePolicy?

    init(options: URLRequestBuilderOptions, baseURL: URL = unset) {
        self.options = options
        target = URLDraft(url: baseURL)
    }

    mutating func begin(_ method: HTTPMethod, _ url: URL) {
        self.method = method
        target = URLDraft(url: url)
    }

    mutating func begin(_ method: HTTPMethod, _ path: RequestPath) throws(RequestPathError) {
        begin(method, try path.resolved(against: target.url))
    }

    mutating func setBody(_ content: RequestContent, type: MediaType?) {
        body = .content(content)
        contentType = type
    }

    mutating func setBody(_ sequence: SequenceBody, type: MediaType?) {
        body = .sequence(sequence)
        contentType = type
    }

    func makeRequest() -> URLRequest {
        var request = URLRequest(url: target.url)
        // Foundation looks each method up among those that it knows, which is dear; GET is what a request has anyway.
        if method != .get { request.httpMethod = method.rawValue }
        body?.add(to: &request)
        let fields = headers.merged(defaultContentType: contentType)
        if !fields.isEmpty { request.allHTTPHeaderFields = fields }
        if let timeout { request.timeoutInterval = timeout }
        if let cachePolicy { request.cachePolicy = cachePolicy }
        return request
    }

    /// What the request carries.
    private enum Body {
        case content(RequestContent)
        case sequence(SequenceBody)

        func add(to request: inout URLRequest) {
            switch self {
            case .content(let content):
                switch content.storage {
                case .data(let data): request.httpBody = data
                case .source(let source): request.httpBodyStream = BodyInputStream(source: source)
                }
            case .sequence(let sequence): request.httpBodyStream = SequenceInputStream(body: sequence)
            }
        }
    }

    /// Stands where no method has been chosen yet; no request can be built at that stage.
    private static let unset = URL(fileURLWithPath: "/")
}
