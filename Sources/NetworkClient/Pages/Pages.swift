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
/// A page whose URL has another origin (scheme, host and port) than the first one's is refused, unless the call allows
/// it. Then it is requested without the fields that belong to an origin, such as `Authorization`, and without the body
/// of the page before. Redirects follow ``RedirectPolicy``.
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
        /// Throws as `fetch` does; ``TransportError/Reason/pageRefused`` for a page that must not be requested;
        /// ``TransportError/Reason/tooManyPages`` for a page that was requested before, and beyond the limit of pages;
        /// `CancellationError` after `cancelAll()`.
        public mutating func next() async throws -> NetworkClient.Response<Value>? {
            guard let call = try next.get() else { return nil }
            try pass.checkCancellation()
            let page = try await call.send()
            // Only a mock responds to a request that could not be made.
            next = .success(nil)
            guard let request = try? call.request.get() else { return page }
            requested.insert(RequestedPage(request))
            next = Result { try following(page, request, call) }
            return page
        }

        /// Returns the call for the page after another one; nil after the last one.
        private mutating func following(
            _ page: NetworkClient.Response<Value>,
            _ request: URLRequest,
            _ call: PageCall<Value>
        ) throws -> PageCall<Value>? {
            guard var next = try call.next(page, request) else { return nil }
            // The URL of a mock's request may be relative.
            let url = request.url.flatMap { $0.scheme == nil ? nil : $0 } ?? page.httpResponse.url
            origin = origin ?? url.map { Origin(of: $0) }
            // Otherwise the next call fails, and is observed.
            guard case .success(let made) = next.request else { return next }
            try rules.check(&next, made, after: request, at: url, origin)
            guard !requested.contains(RequestedPage(made)) else {
                throw PageRules.error(.tooManyPages, "its next page was requested before", request)
            }
            guard requested.count < rules.limit else {
                throw PageRules.error(.tooManyPages, "it has more than \(rules.limit) pages", request)
            }
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
    /// The origin that the page has left, and whose credentials it does not get; nil for a page of that origin.
    var left: Origin?
    let sender: Send
    let next: @Sendable (NetworkClient.Response<Value>, URLRequest) throws -> PageCall?

    func send() async throws -> NetworkClient.Response<Value> { try await sender(request, left) }
}

/// What distinguishes the request for a page from others, as two hashes: Foundation compares requests without their
/// bodies, and ten thousand requests may be long.
private struct RequestedPage: Hashable {
    private let hashes: [Int]

    init(_ request: URLRequest) {
        hashes = [1, 2].map { seed in
            var hasher = Hasher()
            hasher.combine(seed)
            hasher.combine(request.httpMethod)
            hasher.combine(request.url.map { $0.absoluteString.prefix { $0 != "#" } })
            hasher.combine(request.allHTTPHeaderFields)
            hasher.combine(request.httpBody)
            hasher.combine(request.httpBodyStream.map { ObjectIdentifier($0) })
            return hasher.finalize()
        }
    }
}

/// What holds for the requests of all pages of a list.
struct PageRules: Sendable {
    let limit: Int
    let allowsOtherOrigins: Bool

    /// Checks the call for a page; one of another origin than the first page's gets no body of the page before.
    ///
    /// The client removes the credentials from its request; see ``CallOptions/leftOrigin``.
    func check<Value>(
        _ next: inout PageCall<Value>,
        _ made: URLRequest,
        after request: URLRequest,
        at url: URL?,
        _ origin: Origin?
    ) throws {
        if let stream = made.httpBodyStream, stream === request.httpBodyStream, !(stream is BodyInputStream) {
            throw Self.error(.bodyNotReplayable, nil, request)
        }
        guard let target = made.url, target.scheme != nil, let url else { return }
        if let flaw = RedirectRules.flaw(in: target, from: url) {
            throw Self.error(.pageRefused, "its next page leads \(flaw)", request)
        }
        guard Origin(of: target) != origin else { return }
        guard allowsOtherOrigins else {
            throw Self.error(.pageRefused, "its next page is at another origin, which the call does not allow", request)
        }
        next.left = origin
        let hasOldBody = made.httpBody != nil && made.httpBody == request.httpBody
        guard hasOldBody || made.httpBodyStream != nil else { return }
        next.request = next.request.map { made in
            var request = made
            RedirectRules.turnIntoGet(&request)
            return request
        }
    }

    static func error(_ reason: TransportError.Reason, _ detail: String?, _ request: URLRequest) -> NetworkClient.Error
    {
        .requestError(type: TransportError(reason, request: request, detail: detail))
    }
}

/// One pass over pages, which is among the calls of the client, also between two pages.
///
/// The registry holds it weakly. It does not leave it when it is released, since that may happen inside the registry.
private final class PagePass: BodyChannel {
    private let isCancelled = Locked(false)

    init(_ calls: CallRegistry?) {
        calls?.hold(self)
    }

    func next() async throws -> Data? { nil }

    func cancel() {
        isCancelled.withLock { $0 = true }
    }

    func checkCancellation() throws {
        if isCancelled.withLock({ $0 }) { throw CancellationError() }
    }
}
