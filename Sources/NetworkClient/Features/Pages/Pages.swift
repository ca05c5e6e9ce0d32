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
/// The origin (scheme, host and port) of a list is that of its first response. A page of another origin is refused,
/// unless the call allows it; it is requested without the body of the page before. Once a list has left the origin of
/// its first request, also by a redirect, no page is requested with fields that belong to an origin, such as
/// `Authorization`. Redirects follow ``RedirectPolicy``.
///
/// A page carries no condition of the request before it, such as `If-None-Match`, and has an `Idempotency-Key` of its
/// own. An iterator belongs to the person whose token its first page was requested with: after a sign-out, or a sign-in
/// of another person, it fails with ``AuthenticationError/Reason/signedOut``.
public struct Pages<Value: Sendable>: AsyncSequence, Sendable {
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
        /// The origin of the list: that of its first response, after redirects.
        private var origin: Origin?
        private let series = CallSeries()

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
            let page = try await call.send(in: series)
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
            let asked = request.url.flatMap { $0.scheme == nil ? nil : $0 }
            let url = page.httpResponse.url ?? asked
            if origin == nil, let url {
                let listed = Origin(of: url)
                origin = listed
                if let asked, Origin(of: asked) != listed { series.leaveOrigin() }
            }
            // If the request could not be made, the next call fails with its error, and observers see the failure.
            guard case .success(let made) = next.request else { return next }
            let leaves = try url.map { try rules.leaves(origin, for: made, after: request, at: $0) } ?? false
            if leaves { series.leaveOrigin() }
            next.request = .success(made.asPage(after: request, keepsBody: !leaves))
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

extension Pages: OpaqueValue {}
extension Pages.Iterator: OpaqueValue {}
extension PageItems: OpaqueValue {}
extension PageItems.Iterator: OpaqueValue {}

/// The call for one page, and the way to the next one.
struct PageCall<Value: Sendable>: Sendable {
    typealias Send =
        @Sendable (Result<URLRequest, any Error>, CallOptions) async throws -> NetworkClient.Response<Value>

    var request: Result<URLRequest, any Error>
    let sender: Send
    let next: @Sendable (NetworkClient.Response<Value>, URLRequest) throws -> PageCall?

    func send(in series: CallSeries) async throws -> NetworkClient.Response<Value> {
        var options = CallOptions()
        options.series = series
        return try await sender(request, options)
    }
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
            hasher.combine(request.allHTTPHeaderFields?.filter { !PageRules.isOfOnePage($0.key) })
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

    /// Returns whether a page has another origin than its list; throws if it must not be requested.
    func leaves(_ origin: Origin?, for made: URLRequest, after request: URLRequest, at url: URL) throws -> Bool {
        if let stream = made.httpBodyStream, stream === request.httpBodyStream, !(stream is BodyInputStream) {
            throw Self.error(.bodyNotReplayable, nil, request)
        }
        guard let target = made.url, target.scheme != nil else { return false }
        if let flaw = url.flaw(ofLinkTo: target) {
            throw Self.error(.pageRefused, "its next page leads \(flaw)", request)
        }
        let other = Origin(of: target)
        guard let origin, other != origin else { return false }
        guard allowsOtherOrigins else {
            let origins = "'\(other.text)' instead of '\(origin.text)'"
            let detail = "its next page is at another origin (\(origins)), which the call does not allow"
            throw Self.error(.pageRefused, detail, request)
        }
        return true
    }

    /// Returns whether a header field belongs to the request for one page: a condition (RFC 9110 §13.1), or the key of
    /// one operation.
    static func isOfOnePage(_ name: String) -> Bool {
        fieldsOfOnePage.contains { HeaderField.isSameName($0, name) }
    }

    fileprivate static let fieldsOfOnePage = [
        "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Idempotency-Key",
    ]

    static func error(_ reason: TransportError.Reason, _ detail: String?, _ request: URLRequest) -> NetworkClient.Error
    {
        .requestError(type: TransportError(reason, request: request, detail: detail))
    }
}

extension URLRequest {
    /// Returns the request for a page, without what belongs to the request for the page before it.
    fileprivate func asPage(after before: URLRequest, keepsBody: Bool) -> URLRequest {
        var request = self
        for name in PageRules.fieldsOfOnePage {
            guard let value = value(forHTTPHeaderField: name), value == before.value(forHTTPHeaderField: name) else {
                continue
            }
            // Each page that is requested by POST is a separate operation, so it gets another key.
            let key = name == "Idempotency-Key" ? UUID().uuidString.lowercased() : nil
            request.set(header: .custom(name: name, value: key))
        }
        let hasOldBody = httpBody != nil && httpBody == before.httpBody
        if !keepsBody, hasOldBody || httpBodyStream != nil { request.turnIntoGet() }
        return request
    }
}

/// One pass over pages, which is among the calls of the client, also between two pages.
///
/// The registry holds it weakly. It does not leave it when it is released, since that may happen inside the registry.
private final class PagePass: Cancellable {
    private let isCancelled = Locked(false)

    init(_ calls: CallRegistry?) {
        calls?.hold(self)
    }

    func cancel() {
        isCancelled.withLock { $0 = true }
    }

    func checkCancellation() throws {
        if isCancelled.withLock({ $0 }) { throw CancellationError() }
    }
}

extension TransportError.Reason {
    /// The next page of a list is at a URL that must not be requested, such as one of another origin.
    public static let pageRefused = Self(
        name: "pageRefused",
        sentence: "its next page is at a URL that is not allowed"
    )

    /// A list has more pages than the limit, or a page that leads to an earlier one.
    public static let tooManyPages = Self(name: "tooManyPages", sentence: "its pages do not end")
}
