/// How the request for the next page of a list is made from a page; see ``Pages``.
public struct NextPage<Value: Sendable>: Sendable {
    let request: @Sendable (NetworkClient.Response<Value>, URLRequest) throws -> URLRequest?

    /// Creates a rule that makes the next request with a closure.
    ///
    /// - Parameter request: Makes the request from a page and the request for it; returns nil after the last page. Its
    ///   errors end the sequence.
    public init(_ request: @escaping @Sendable (NetworkClient.Response<Value>, URLRequest) throws -> URLRequest?) {
        self.request = request
    }

    /// The link `next` of the `Link` fields (RFC 8288), as GitHub and GitLab have it; the last page has none.
    public static var links: NextPage {
        NextPage { page, request in try page.link("next").map { request.moved(to: $0) } }
    }

    /// A URL in the page, which may be relative, as Django REST framework has it in `next`; nil after the last page.
    ///
    /// ```swift
    /// struct Page: Decodable, Sendable {
    ///     let results: [Item]
    ///     let next: URL?
    /// }
    ///
    /// let pages = try client.pages(
    ///     .get(path: "items"), as: Page.self, next: .url { $0.next }
    /// )
    /// ```
    public static func url(_ url: @escaping @Sendable (Value) throws -> URL?) -> NextPage {
        NextPage { page, request in
            guard let url = try url(page.item) else { return nil }
            let base = page.httpResponse.url ?? url
            return request.moved(to: base.resolving(url.absoluteString, keepsFragment: false) ?? url)
        }
    }

    /// A cursor in the page, with which a query item of the next request is set; nil or empty after the last page.
    ///
    /// ```swift
    /// struct Page: Decodable, Sendable {
    ///     let items: [Item]
    ///     let cursor: String?
    /// }
    ///
    /// let pages = try client.pages(
    ///     .get(path: "items"), as: Page.self, next: .cursor("after") { $0.cursor }
    /// )
    /// ```
    public static func cursor<Cursor: URLTextConvertible & SendableMetatype>(
        _ name: String,
        _ cursor: @escaping @Sendable (Value) throws -> Cursor?
    ) -> NextPage {
        NextPage { page, request in
            guard let text = try cursor(page.item)?.urlText, !text.isEmpty else { return nil }
            return request.setting(query: name, to: text)
        }
    }

    /// A number in the query, of the page or of its first element, which grows with each page.
    ///
    /// - Parameters:
    ///   - name: The name of the query item.
    ///   - first: The number of a request that has no such query item: 0 for an offset, and where pages are counted
    ///     from 0.
    ///   - step: The difference between two pages: 1 for numbers of pages, the length of a page for an offset.
    ///   - isLast: Returns whether a page is the last one.
    /// - Returns: The rule.
    public static func number(
        _ name: String,
        first: Int = 1,
        step: Int = 1,
        isLast: @escaping @Sendable (Value) throws -> Bool
    ) -> NextPage {
        NextPage { page, request in
            guard try !isLast(page.item) else { return nil }
            let item = request.url?.queryItems.last { $0.name == name }
            let number = item.map { Int($0.value ?? "") } ?? first
            guard let (next, overflows) = number?.addingReportingOverflow(step), !overflows else {
                let detail = "its query item '\(name)' is not a number to which \(step) can be added"
                throw PageRules.error(.invalidRequest, detail, request)
            }
            return request.setting(query: name, to: String(next))
        }
    }

    /// A number in the query, which grows with each page up to the first page that is empty.
    public static func number(_ name: String, first: Int = 1, step: Int = 1) -> NextPage where Value: Collection {
        number(name, first: first, step: step) { $0.isEmpty }
    }
}

extension URLRequest {
    fileprivate func moved(to url: URL) -> URLRequest {
        var request = self
        request.url = url
        return request
    }

    fileprivate func setting(query name: String, to value: String) -> URLRequest {
        guard let url else { return self }
        var editor = QueryEditor(url: url)
        editor.remove(name)
        editor.add(name, value)
        return moved(to: editor.url)
    }
}
