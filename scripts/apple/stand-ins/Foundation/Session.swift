import Darwin
import Dispatch
import ObjectiveC
import Security

open class NSURLRequest: NSObject {
    @objc public enum CachePolicy: UInt, Sendable {
        case useProtocolCachePolicy = 0, reloadIgnoringLocalCacheData = 1, reloadIgnoringLocalAndRemoteCacheData = 4,
            returnCacheDataElseLoad = 2, returnCacheDataDontLoad = 3, reloadRevalidatingCacheData = 5
    }
}

public struct URLRequest: Hashable, Sendable, _StandInBridged {
    public typealias _ObjectiveCType = NSURLRequest
    public typealias CachePolicy = NSURLRequest.CachePolicy
    public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60.0) {}
    public var url: URL? {
        get { nil }
        set {}
    }
    public var httpMethod: String? {
        get { nil }
        set {}
    }
    public var httpBody: Data? {
        get { nil }
        set {}
    }
    public var httpBodyStream: InputStream? {
        get { nil }
        set {}
    }
    public var allHTTPHeaderFields: [String: String]? {
        get { nil }
        set {}
    }
    public var timeoutInterval: TimeInterval {
        get { 0 }
        set {}
    }
    public var cachePolicy: CachePolicy {
        get { .useProtocolCachePolicy }
        set {}
    }
    public var httpShouldHandleCookies: Bool {
        get { true }
        set {}
    }
    public var allowsCellularAccess: Bool {
        get { true }
        set {}
    }
    public func value(forHTTPHeaderField: String) -> String? { nil }
    public mutating func setValue(_ v: String?, forHTTPHeaderField: String) {}
}

open class URLResponse: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    public init(url: URL, mimeType: String?, expectedContentLength: Int, textEncodingName: String?) {}
    public required init?(coder: NSCoder) { nil }
    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) {}
    open func copy(with zone: UnsafeMutableRawPointer?) -> Any { self }
    open var url: URL? { nil }
    open var mimeType: String? { nil }
    open var textEncodingName: String? { nil }
    open var suggestedFilename: String? { nil }
    open var expectedContentLength: Int64 { 0 }
}

open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    @available(macOS 10.7, iOS 5.0, *) public init?(
        url: URL,
        statusCode: Int,
        httpVersion HTTPVersion: String?,
        headerFields: [String: String]?
    ) { fatalError() }
    public required init?(coder: NSCoder) { nil }
    open var statusCode: Int { 0 }
    open var allHeaderFields: [AnyHashable: Any] { [:] }
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *) open func value(forHTTPHeaderField field: String)
        -> String?
    { nil }
}

open class HTTPCookieStorage: NSObject, @unchecked Sendable {}

extension HTTPCookie {
    @objc public enum AcceptPolicy: UInt, Sendable { case always, never, onlyFromMainDocumentDomain }
}

open class HTTPCookie: NSObject, @unchecked Sendable {}

open class URLCache: NSObject, @unchecked Sendable {}

open class URLCredentialStorage: NSObject, @unchecked Sendable {}

open class URLCredential: NSObject, @unchecked Sendable {
    @objc public enum Persistence: UInt, Sendable { case none, forSession, permanent, synchronizable }
    @available(macOS 10.6, iOS 3.0, *) public convenience init(trust: SecTrust) { fatalError() }
    @available(macOS 10.6, iOS 3.0, *) public convenience init(
        identity: SecIdentity,
        certificates certArray: [Any]?,
        persistence: URLCredential.Persistence
    ) { fatalError() }
}

open class URLProtectionSpace: NSObject, @unchecked Sendable {
    open var authenticationMethod: String { "" }
    open func isProxy() -> Bool { false }
    @available(macOS 10.6, iOS 3.0, *) open var serverTrust: SecTrust? { nil }
}

open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
    open var protectionSpace: URLProtectionSpace { fatalError() }
}

public let NSURLAuthenticationMethodServerTrust = "", NSURLAuthenticationMethodClientCertificate = "",
    NSURLAuthenticationMethodNTLM = "", NSURLAuthenticationMethodNegotiate = ""

open class URLSessionConfiguration: NSObject, NSCopying, @unchecked Sendable {
    open class var `default`: URLSessionConfiguration { fatalError() }
    open class var ephemeral: URLSessionConfiguration { fatalError() }
    open class func background(withIdentifier identifier: String) -> URLSessionConfiguration { fatalError() }
    public func copy(with zone: UnsafeMutableRawPointer?) -> Any { self }
    open var identifier: String? { nil }
    open var urlCache: URLCache?
    open var httpCookieStorage: HTTPCookieStorage?
    open var httpShouldSetCookies: Bool = true
    open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy = .always
    open var urlCredentialStorage: URLCredentialStorage?
    open var httpAdditionalHeaders: [AnyHashable: Any]?
    open var timeoutIntervalForRequest: TimeInterval = 0
    open var timeoutIntervalForResource: TimeInterval = 0
    open var httpMaximumConnectionsPerHost: Int = 6
    open var protocolClasses: [AnyClass]?
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
        get { .TLSv12 }
        set {}
    }
}

@objc(NSURLSession) open class URLSession: NSObject, @unchecked Sendable {
    open class var shared: URLSession { fatalError() }
    public convenience init(configuration: URLSessionConfiguration) { fatalError() }
    public convenience init(
        configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?
    ) { fatalError() }
    open var configuration: URLSessionConfiguration { fatalError() }
    open var delegate: (any URLSessionDelegate)? { nil }
    open func finishTasksAndInvalidate() {}
    open func invalidateAndCancel() {}
    open func dataTask(with request: URLRequest) -> URLSessionDataTask { fatalError() }
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask { fatalError() }
    @available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *) public func data(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { fatalError() }
    @available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *) public func data(
        from: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { fatalError() }
    open func dataTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask { fatalError() }
    @objc(NSURLSessionAuthChallengeDisposition) public enum AuthChallengeDisposition: Int, Sendable {
        case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
    }
    @objc(NSURLSessionResponseDisposition) public enum ResponseDisposition: Int, Sendable {
        case cancel, allow, becomeDownload, becomeStream
    }
}

@objc(NSURLSessionTask) open class URLSessionTask: NSObject, @unchecked Sendable {
    open var taskIdentifier: Int { 0 }
    open var response: URLResponse? { nil }
    open func cancel() {}
    open func resume() {}
    open func suspend() {}
}

@objc(NSURLSessionDataTask) open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
@objc(NSURLSessionWebSocketTask) open class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {
    public enum Message: Sendable { case data(Data), string(String) }
    @objc(NSURLSessionWebSocketCloseCode) public enum CloseCode: Int, Sendable {
        case invalid = 0, normalClosure = 1000, goingAway = 1001, protocolError = 1002, unsupportedData = 1003,
            noStatusReceived = 1005, abnormalClosure = 1006, invalidFramePayloadData = 1007, policyViolation = 1008,
            messageTooBig = 1009, mandatoryExtensionMissing = 1010, internalServerError = 1011,
            tlsHandshakeFailure = 1015
    }
    public func send(_ message: Message, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {}
    public func receive(completionHandler: @escaping @Sendable (Result<Message, any Error>) -> Void) {}
    public func send(_ message: Message) async throws {}
    public func receive() async throws -> Message { fatalError() }
    open func sendPing(pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void) {}
    open func cancel(with closeCode: CloseCode, reason: Data?) {}
    open var maximumMessageSize: Int = 0
    open var closeCode: CloseCode { .invalid }
    open var closeReason: Data? { nil }
}

@objc(NSURLSessionTaskMetrics) open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    open var taskInterval: DateInterval { fatalError() }
    open var transactionMetrics: [URLSessionTaskTransactionMetrics] { [] }
}

open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    open var fetchStartDate: Date? { nil }
    open var domainLookupStartDate: Date? { nil }
    open var domainLookupEndDate: Date? { nil }
    open var connectStartDate: Date? { nil }
    open var connectEndDate: Date? { nil }
    open var secureConnectionStartDate: Date? { nil }
    open var secureConnectionEndDate: Date? { nil }
    open var responseStartDate: Date? { nil }
    open var networkProtocolName: String? { nil }
    open var isReusedConnection: Bool { false }
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *) open var countOfRequestBodyBytesSent: Int64 { 0 }
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *) open var countOfResponseBodyBytesReceived: Int64 { 0 }
}

@objc(NSURLSessionDelegate) public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    @objc(URLSession:didBecomeInvalidWithError:) optional func urlSession(
        _ session: URLSession,
        didBecomeInvalidWithError error: (any Error)?
    )
    @objc(URLSession:didReceiveChallenge:completionHandler:) optional func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )
}

@objc(NSURLSessionTaskDelegate) public protocol URLSessionTaskDelegate: URLSessionDelegate {
    @objc(URLSession:task:willPerformHTTPRedirection:newRequest:completionHandler:) optional func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    )
    @objc(URLSession:task:didReceiveChallenge:completionHandler:) optional func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )
    @objc(URLSession:task:needNewBodyStream:) optional func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    )
    @objc(URLSession:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:) optional func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    )
    @objc(URLSession:task:didFinishCollectingMetrics:) optional func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    )
    @objc(URLSession:task:didCompleteWithError:) optional func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    )
}

@objc(NSURLSessionDataDelegate) public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    @objc(URLSession:dataTask:didReceiveResponse:completionHandler:) optional func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    )
    @objc(URLSession:dataTask:didReceiveData:) optional func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive data: Data
    )
}

open class CachedURLResponse: NSObject, @unchecked Sendable {}

open class URLProtocol: NSObject {
    @objc public enum _CSP: UInt { case allowed }
    open var client: (any URLProtocolClient)? { nil }
    open var request: URLRequest { fatalError() }
    open class func canInit(with request: URLRequest) -> Bool { false }
    open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    open func startLoading() {}
    open func stopLoading() {}
    public init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?) {}
}

extension URLCache { @objc public enum StoragePolicy: UInt, Sendable { case allowed, allowedInMemoryOnly, notAllowed } }

@objc public protocol URLProtocolClient: NSObjectProtocol {
    func urlProtocol(
        _ p: URLProtocol,
        didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy
    )
    func urlProtocol(_ p: URLProtocol, didLoad data: Data)
    func urlProtocolDidFinishLoading(_ p: URLProtocol)
    func urlProtocol(_ p: URLProtocol, didFailWithError error: any Error)
}

@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
@objc(NSURLSessionWebSocketDelegate) public protocol URLSessionWebSocketDelegate: URLSessionTaskDelegate {
    @objc(URLSession:webSocketTask:didOpenWithProtocol:) optional func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    )
    @objc(URLSession:webSocketTask:didCloseWithCode:reason:) optional func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    )
}
