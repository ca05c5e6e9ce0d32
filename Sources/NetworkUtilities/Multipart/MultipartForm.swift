/// A complete `multipart/form-data` body (RFC 7578): its media type and its bytes, with the same boundary.
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
    /// The separator of the parts, in the header and in the body.
    public let boundary: MultipartBoundary

    private let bytes: RequestContent

    /// Creates a form from a block of parts.
    ///
    /// - Parameters:
    ///   - boundary: The separator of the parts; pass one only in tests that compare bytes.
    ///   - parts: The parts in their order, also in `if`, `switch` and `for`, and as arrays and optionals.
    /// - Throws: The errors of the block.
    public init(
        boundary: MultipartBoundary = .random(),
        @MultipartFormParts parts: () throws -> [MultipartPart]
    ) rethrows {
        self.init(boundary: boundary, parts: try parts())
    }

    /// Creates a form from parts in their order.
    ///
    /// - Parameters:
    ///   - boundary: The separator of the parts; pass one only in tests that compare bytes.
    ///   - parts: The parts in their order.
    public init(boundary: MultipartBoundary = .random(), parts: [MultipartPart]) {
        var writer = MultipartWriter(boundary: boundary)
        for part in parts { part.write(to: &writer) }
        self.init(boundary: boundary, bytes: writer.makeContent())
    }

    fileprivate init(boundary: MultipartBoundary, bytes: RequestContent) {
        self.boundary = boundary
        self.bytes = bytes
    }

    /// `multipart/form-data` with the boundary.
    public var mediaType: MediaType? {
        .multipart(withBoundary: boundary.text)
    }

    /// The number of bytes of the body, delimiters included.
    public var length: Int { bytes.length }

    /// Returns the parts and the closing delimiter.
    ///
    /// A form without files of up to 1 MiB is in memory; any other form is a source that is read while it is sent.
    public func makeContent() -> RequestContent { bytes }
}

/// Collects the parts of a `multipart/form-data` body (RFC 7578) in their order.
///
/// ```swift
/// let stage = try URLRequest.post(url: url).bodyMultipart { builder in
///     builder.add(key: "description", value: "My file")
///     try builder.add(key: "file", file: .init(file: fileURL))
/// }
/// ```
/// Each step adds its part to the builder and returns the same builder, so that steps can be chained. Keys and
/// filenames may be any text. They are escaped as browsers do (WHATWG HTML, multipart/form-data encoding), so that no
/// argument can add a part or a header field.
public final class MultipartFormBuilder: OpaqueValue {
    private let boundary: MultipartBoundary
    private var writer: MultipartWriter

    /// Creates a builder without parts; pass a boundary only in tests that compare bytes.
    public init(boundary: MultipartBoundary = .random()) {
        self.boundary = boundary
        writer = MultipartWriter(boundary: boundary)
    }

    /// Adds a part.
    @discardableResult
    public func add(_ part: MultipartPart) -> MultipartFormBuilder {
        part.write(to: &writer)
        return self
    }

    /// Adds a text, sent in UTF-8; a bare CR or LF in it is sent as CRLF, as in any form.
    @discardableResult
    public func add(key: String, value: String) -> MultipartFormBuilder {
        add(MultipartPart(name: key, text: value))
    }

    /// Adds bytes as a field, without a filename; without a type, servers read the field as text.
    @discardableResult
    public func add(key: String, value: Data, type: MediaType? = nil) -> MultipartFormBuilder {
        add(MultipartPart(name: key, data: value, type: type))
    }

    /// Adds bytes as a file that is not on disk, with the filename that the server sees; without a type, that of its
    /// extension.
    @discardableResult
    public func add(
        key: String,
        value: Data,
        filename: String,
        type: MediaType? = nil
    ) -> MultipartFormBuilder {
        add(MultipartPart(name: key, data: value, filename: filename, type: type))
    }

    /// Adds a local file, which is read while the request is sent.
    ///
    /// - Throws: ``MultipartFormFilePart/Error/invalidLocalFile(url:)`` unless there is a readable regular file at its
    ///   URL now. If the file changes later, sending the request fails.
    @discardableResult
    public func add(
        key: String,
        file: MultipartFormFilePart
    ) throws(MultipartFormFilePart.Error) -> MultipartFormBuilder {
        add(try MultipartPart(name: key, file: file))
    }

    /// Adds a local file under its own name, with the media type of its extension.
    ///
    /// - Throws: As ``add(key:file:)-(_,MultipartFormFilePart)``.
    @discardableResult
    public func add(key: String, file: URL) throws(MultipartFormFilePart.Error) -> MultipartFormBuilder {
        try add(key: key, file: MultipartFormFilePart(file: file))
    }

    /// The form with the parts added so far.
    public var form: MultipartForm {
        MultipartForm(boundary: boundary, bytes: writer.makeContent())
    }
}

/// Collects the parts of a ``MultipartForm`` in a block with `if`, `switch`, `for` and optionals.
@resultBuilder
public enum MultipartFormParts: BlockBuilding {
    /// The type of the elements.
    public typealias Element = MultipartPart
}
