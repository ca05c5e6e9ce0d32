/// The pages of a list, each of which says where the next one is.
///
/// ```swift
/// for try await page in try client.pages(.get(path: "items"), as: [Item].self) {
///     print(page.item.count)
/// }
/// for try await item in try client.pages(.get(path: "items"), as: [Item].self).items {
///     print(item.name)
/// }
/// ```
///
/// A page is requested when it is awaited. Each is one call through the interceptors, with its own retries, token,
/// limits and report. Leaving the loop ends the sequence; `cancelAll()` ends it also between two pages. Each iterator
/// begins with the first page; one that has thrown the error of a call requests the same page when it is asked again.
///
/// A page of another origin (scheme, host and port) than the first one's is refused, unless the call allows it. Then it
/// is requested without the fields that belong to the first origin, such as `Authorization`, and without the body.
public struct Pages<Value: Sendable>: AsyncSequence, Sendable {
    /// A page, with its status and its header fields.
    public typealias Element = NetworkClient.Response<Value>

    let first: PageCall<Value>
    let rules: PageRules
    /// The calls of the client; nil for a client that replaces it.
    let calls: CallRegistry?

    /// Creates an iterator that begins with the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// The iterator over pages.
    public struct Iterator: AsyncIteratorProtocol {
        private let rules: PageRules
        private let pass: PagePass
        private var next: Result<PageCall<Value>?, any Error>
        private var requested: Set<RequestedPage> = []
        private var origin: Origin?

        fileprivate init(_ pages: Pages) {
            rules = pages.rules
            pass = PagePass(pages.calls)
            next = .success(pages.first)
        }

        /// Requests the next page; returns nil after the last one.
        ///
        /// Throws as `fetch` does; ``TransportError/Reason/pageRefused`` for a page that
        /// must not be requested; ``TransportError/Reason/tooManyPages`` for a page that was requested before, and
        /// beyond the limit of pages; `CancellationError` after `cancelAll()`.
        public mutating func next() async throws -> NetworkClient.Response<Value>? {
            try pass.checkCancellation()
            guard let call = try next.get() else { return nil }
            let page = try await call.send(origin)
            guard let request = try? call.request.get() else { return page }
            requested.insert(RequestedPage(request))
            if origin == nil { origin = (request.url ?? page.httpResponse.url).map { Origin(of: $0) } }
            next = Result { try following(page, request, call) }
            return page
        }

        /// Returns the call for the page after another one; nil after the last one.
        private func following(
            _ page: NetworkClient.Response<Value>,
            _ request: URLRequest,
            _ call: PageCall<Value>
        ) throws -> PageCall<Value>? {
            guard var next = try call.next(page, request) else { return nil }
            let made = try rules.checked(next.request.get(), after: request, from: origin)
            guard !requested.contains(RequestedPage(made)) else {
                throw PageRules.error(.tooManyPages, "its next page was requested before", request)
            }
            guard requested.count < rules.limit else {
                throw PageRules.error(.tooManyPages, "it has more than \(rules.limit) pages", request)
            }
            next.request = .success(made)
            return next
        }
    }
}

extension Pages {
    /// The elements of the pages, one after another.
    public func items<Items: Sequence>(
        _ items: @escaping @Sendable (Value) -> Items
    ) -> PageItems<Value, Items> {
        PageItems(pages: self, items: items)
    }
}

extension Pages where Value: Sequence {
    /// The elements of pages that are arrays, one after another.
    public var items: PageItems<Value, Value> { PageItems(pages: self) { $0 } }
}

/// The elements of the pages of a list, one after another; see ``Pages``.
public struct PageItems<Value: Sendable, Items: Sequence>: AsyncSequence, Sendable {
    /// An element of a page.
    public typealias Element = Items.Element

    let pages: Pages<Value>
    let items: @Sendable (Value) -> Items

    /// Creates an iterator that begins with the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator(), items: items) }

    /// The iterator over the elements of pages.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var pages: Pages<Value>.Iterator
        fileprivate let items: @Sendable (Value) -> Items
        private var page: Items.Iterator?

        fileprivate init(pages: Pages<Value>.Iterator, items: @escaping @Sendable (Value) -> Items) {
            self.pages = pages
            self.items = items
        }

        /// Returns the next element, and requests a page if need be; returns nil after the last one.
        ///
        /// Throws as the iterator of ``Pages`` does.
        public mutating func next() async throws -> Items.Element? {
            while true {
                if let item = page?.next() { return item }
                guard let next = try await pages.next() else { return nil }
                page = items(next.item).makeIterator()
            }
        }
    }
}

/// The call for one page, and the way to the next one.
struct PageCall<Value: Sendable>: Sendable {
    typealias Send =
        @Sendable (Result<URLRequest, any Error>, Origin?) async throws -> NetworkClient.Response<Value>

    var request: Result<URLRequest, any Error>
    let sender: Send
    let next: @Sendable (NetworkClient.Response<Value>, URLRequest) throws -> PageCall?

    func send(_ origin: Origin?) async throws -> NetworkClient.Response<Value> { try await sender(request, origin) }
}

/// What distinguishes the request for a page from others; Foundation compares requests without their bodies.
private struct RequestedPage: Hashable {
    private let method: String?
    private let url: String?
    private let fields: [String: String]
    private let body: Data?

    init(_ request: URLRequest) {
        method = request.httpMethod
        url = request.url?.absoluteString
        fields = request.allHTTPHeaderFields ?? [:]
        body = request.httpBody
    }
}

/// What holds for the requests of all pages of a list.
struct PageRules: Sendable {
    let limit: Int
    let allowsOtherOrigins: Bool
    /// Names of further fields that are not sent to another origin.
    let sensitiveHeaders: [String]

    /// Returns the request for a page as it may be sent.
    func checked(_ next: URLRequest, after request: URLRequest, from origin: Origin?) throws -> URLRequest {
        // Without a base URL, the requests of a mock have relative URLs.
        guard let target = next.url, let url = request.url, (target.scheme ?? url.scheme) != nil else { return next }
        if let flaw = RedirectRules.flaw(in: target, from: url) {
            throw Self.error(.pageRefused, "its next page leads \(flaw)", request)
        }
        let leaves = Origin(of: target) != origin
        if leaves, !allowsOtherOrigins {
            throw Self.error(.pageRefused, "its next page is at another origin, which the call does not allow", request)
        }
        guard Origin(of: target) != Origin(of: url) else { return next }
        var next = next
        let inherited = request.allHTTPHeaderFields ?? [:]
        let given = (next.allHTTPHeaderFields ?? [:]).filter { inherited[$0.key] != $0.value }
        CredentialFields(sensitiveHeaders: sensitiveHeaders).remove(from: &next, keeping: given)
        if next.httpBodyStream != nil || next.httpBody != nil && next.httpBody == request.httpBody {
            RedirectRules.turnIntoGet(&next)
        }
        return next
    }

    static func error(_ reason: TransportError.Reason, _ detail: String, _ request: URLRequest) -> NetworkClient.Error {
        .requestError(type: TransportError(reason, request: request, detail: detail))
    }
}

/// One pass over pages, which is among the calls of the client, also between two pages.
private final class PagePass: BodyChannel {
    private let calls: CallRegistry?
    private let isCancelled = Locked(false)

    init(_ calls: CallRegistry?) {
        self.calls = calls
        calls?.hold(self)
    }

    deinit {
        calls?.release(ObjectIdentifier(self))
    }

    func next() async throws -> Data? { nil }

    func cancel() {
        isCancelled.withLock { $0 = true }
    }

    func checkCancellation() throws {
        if isCancelled.withLock({ $0 }) { throw CancellationError() }
    }
}
