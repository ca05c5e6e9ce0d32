public import Foundation

/// Collects the parts of a `multipart/form-data` body (RFC 7578), in the order in which they are sent.
///
/// ```swift
/// let stage = try URLRequest.post(url: url).bodyMultipart { builder in
///     builder.add(key: "description", value: "My file")
///     try builder.add(key: "file", file: .init(file: fileURL))
/// }
/// ```
/// Keys and filenames may be any text: what would end them early is escaped as browsers do (WHATWG HTML, multipart/
/// form-data encoding), so that nothing that is passed here can add a part or a header field.
public struct MultipartFormBuilder: Sendable {
    private let boundary: MultipartBoundary
    private var writer: MultipartWriter

    /// Starts a form without parts.
    ///
    /// - Parameter boundary: What separates the parts; fix it only in tests.
    public init(boundary: MultipartBoundary = .random()) {
        self.boundary = boundary
        writer = MultipartWriter(boundary: boundary)
    }

    /// Adds a part that was made elsewhere.
    ///
    /// - Parameter part: The part.
    public mutating func add(_ part: MultipartPart) {
        part.write(to: &writer)
    }

    /// Adds a text.
    ///
    /// - Parameters:
    ///   - key: The name of the field.
    ///   - value: The text, sent in UTF-8; a bare CR or LF in it is sent as CRLF, as in any form.
    public mutating func add(key: String, value: String) {
        writer.beginPart(name: key, filename: nil)
        writer.endPart(text: value)
    }

    /// Adds bytes as a field, without a filename.
    ///
    /// - Parameters:
    ///   - key: The name of the field.
    ///   - value: The bytes, sent as they are.
    ///   - type: What kind of bytes they are, such as `.json`. With nil the part does not say, and counts as text.
    public mutating func add(key: String, value: Data, type: MediaType? = nil) {
        add(key, filename: nil, type, .data(value))
    }

    /// Adds bytes as a file that is not on disk.
    ///
    /// - Parameters:
    ///   - key: The name of the field.
    ///   - value: The bytes, sent as they are.
    ///   - filename: The name that the server sees.
    ///   - type: What kind of bytes they are.
    public mutating func add(key: String, value: Data, filename: String, type: MediaType = .octetStream) {
        add(key, filename: filename, type, .data(value))
    }

    /// Adds a local file, which is read while the request is sent.
    ///
    /// - Parameters:
    ///   - key: The name of the field.
    ///   - file: The file, its name and its type.
    /// - Throws: ``MultipartFormFilePart/Error/invalidLocalFile(url:)`` if there is no regular, readable file at its
    ///   URL now. What happens to the file later is an error when the request is sent.
    public mutating func add(key: String, file: MultipartFormFilePart) throws(MultipartFormFilePart.Error) {
        add(try MultipartPart(name: key, file: file))
    }

    /// The form as it stands; parts that are added later are not in it.
    public var form: MultipartForm {
        MultipartForm(boundary: boundary, bytes: writer.content())
    }

    private mutating func add(_ key: String, filename: String?, _ type: MediaType?, _ content: RequestContent) {
        writer.beginPart(name: key, filename: filename)
        writer.append(type: type)
        writer.endPart(content)
    }
}
