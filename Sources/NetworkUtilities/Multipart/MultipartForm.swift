/// A complete `multipart/form-data` body (RFC 7578), as a value: its media type and its bytes, with one boundary in
/// both.
///
/// ```swift
/// let photos = [fileURL]
/// let form = try MultipartForm {
///     MultipartPart(name: "description", text: "My files")
///     for photo in photos {
///         try MultipartPart(name: "photo", file: .init(file: photo))
///     }
/// }
/// let request = URLRequest.post(url: url).bodyMultipart(form).build()
/// ```
/// The bytes are the same each time that the form is sent. Files are read while it is sent, and read again when it is
/// sent again.
public struct MultipartForm: RequestBody {
    /// What separates the parts, in the header and in the body.
    public let boundary: MultipartBoundary

    private let bytes: RequestContent

    /// Puts parts together in their order.
    ///
    /// - Parameters:
    ///   - boundary: What separates the parts; random unless a test needs the same bytes every time.
    ///   - parts: The parts, also by `if`, `switch` and `for`, and as arrays and optionals.
    /// - Throws: What making one of the parts throws.
    public init(
        boundary: MultipartBoundary = .random(),
        @MultipartFormParts parts: () throws -> [MultipartPart]
    ) rethrows {
        self.init(boundary: boundary, parts: try parts())
    }

    /// Puts parts together in their order.
    ///
    /// - Parameters:
    ///   - boundary: What separates the parts; random unless a test needs the same bytes every time.
    ///   - parts: The parts.
    public init(boundary: MultipartBoundary = .random(), parts: [MultipartPart]) {
        var writer = MultipartWriter(boundary: boundary)
        for part in parts { part.write(to: &writer) }
        self.init(boundary: boundary, bytes: writer.content())
    }

    init(boundary: MultipartBoundary, bytes: RequestContent) {
        self.boundary = boundary
        self.bytes = bytes
    }

    /// `multipart/form-data` with the boundary.
    public var mediaType: MediaType? {
        .multipart(withBoundary: boundary.text)
    }

    /// The number of bytes that are sent, delimiters included.
    public var length: Int { bytes.length }

    /// The parts in their order, and always a closing delimiter.
    ///
    /// - Returns: Bytes in memory if the form is small and has no files, and otherwise a source that streams them.
    public func content() -> RequestContent { bytes }
}
