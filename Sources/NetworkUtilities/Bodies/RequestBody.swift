/// A body of a kind that this library has no step for, such as a property list or CBOR.
///
/// Steps exist for the usual bodies: `bodyJson(of:)`, `bodyForm(params:)`, `bodyText(_:type:)`, `bodyData(_:type:)`,
/// `bodyFile(at:type:)` and `bodyMultipart(_:)`. To write another body, return its media type and its bytes; then pass
/// it to `body(_:)`, or to a part of a ``MultipartForm``.
///
/// ```swift
/// struct PropertyList<Value: Encodable & Sendable>: RequestBody {
///     let value: Value
///     var mediaType: MediaType? { MediaType("application/x-plist") }
///
///     func makeContent() throws -> RequestContent {
///         .data(try PropertyListEncoder().encode(value))
///     }
/// }
/// ```
public protocol RequestBody: Sendable {
    /// The media type, which a header step can override; nil for none.
    var mediaType: MediaType? { get }

    /// Returns the bytes or their source; called once for each request that is built.
    ///
    /// - Throws: Any error; the request is then not built.
    func makeContent() throws -> RequestContent
}

/// The bytes of a request: in memory, or in a source that is read while they are sent.
///
/// A ``RequestBody`` returns one. Its length is known before the first byte is sent, and it can be sent again. So
/// `NetworkClient` sends a `Content-Length`, and repeats the body after a redirect or a retry; a plain `URLSession`
/// sends a file or a source in chunks, without a length.
public struct RequestContent: Sendable {
    package enum Storage: Sendable {
        case data(Data)
        case source(any BodySource)
    }

    package let storage: Storage

    package init(_ storage: Storage) {
        self.storage = storage
    }

    /// Bytes in memory, which are not copied.
    public static func data(_ data: Data) -> RequestContent {
        RequestContent(.data(data))
    }

    /// A local file, which is read while it is sent, never into memory as a whole.
    ///
    /// The request fails if the file is modified or replaced before it is sent completely.
    ///
    /// - Throws: ``BodySourceError`` if there is no readable regular file at the URL.
    public static func file(at url: URL) throws(BodySourceError) -> RequestContent {
        RequestContent(.source(try FileBodySource(url: url)))
    }

    /// The bytes of a custom source, which is opened each time they are sent.
    ///
    /// The request fails with a ``BodySourceError`` if the source has more or fewer bytes than it announces now.
    public static func source(_ source: some BodySource) -> RequestContent {
        RequestContent(.source(CheckedBodySource(source)))
    }

    /// The number of bytes.
    public var length: Int {
        switch storage {
        case .data(let data): data.count
        case .source(let source): source.length
        }
    }

    /// The bytes as a source, also if they are in memory.
    public var source: any BodySource {
        switch storage {
        case .data(let data): DataBodySource(data)
        case .source(let source): source
        }
    }

    /// Returns the content if its length is valid.
    ///
    /// - Throws: ``BodySourceError/invalidLength(_:)`` for a source that announces a length below 0.
    func checked() throws(BodySourceError) -> RequestContent {
        guard length >= 0 else { throw .invalidLength(length) }
        return self
    }
}

extension RequestContent: OpaqueValue {
    /// The number of bytes.
    public var description: String { "\(length) bytes" }
}
