/// The parts of a request that the steps of a builder have described so far.
struct RequestDraft: Sendable {
    var options: URLRequestBuilderOptions
    var method = HTTPMethod.get
    /// The URL of the request; the base URL until a method is chosen.
    var target: QueryEditor
    private var body: Body?
    /// The media type of the body; a `Content-Type` among the headers overrides it.
    private var contentType: MediaType?
    var headers = HeaderFields()
    /// The timeout in seconds; nil for the default of `URLRequest`.
    var timeout: TimeInterval?
    var cachePolicy: URLRequest.CachePolicy?

    init(options: URLRequestBuilderOptions, baseURL: URL = unset) {
        self.options = options
        target = QueryEditor(url: baseURL)
    }

    mutating func begin(_ method: HTTPMethod, _ url: URL) {
        self.method = method
        target = QueryEditor(url: url)
    }

    mutating func begin(_ method: HTTPMethod, _ path: RequestPath) throws(RequestPathError) {
        begin(method, try path.resolved(against: target.url))
    }

    mutating func setBody(_ content: RequestContent, type: MediaType?) {
        body = .content(content)
        setContentType(type)
    }

    mutating func setBody(_ sequence: SequenceBody, type: MediaType?) {
        body = .sequence(sequence)
        setContentType(type)
    }

    /// An empty media type would be a field without a value, which some servers refuse.
    private mutating func setContentType(_ type: MediaType?) {
        contentType = type?.value.isEmpty == true ? nil : type
    }

    func makeRequest() -> URLRequest {
        var request = URLRequest(url: target.url)
        // GET is the default; setting it again is expensive, since Foundation compares it with each method it knows.
        if method != .get { request.httpMethod = method.rawValue }
        body?.add(to: &request)
        let fields = headers.merged(defaultContentType: contentType)
        if !fields.isEmpty { request.allHTTPHeaderFields = fields }
        if let timeout { request.timeoutInterval = timeout }
        if let cachePolicy { request.cachePolicy = cachePolicy }
        return request
    }

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

    /// A placeholder until a method is chosen; no request can be built at that stage.
    private static let unset = URL(fileURLWithPath: "/")
}
