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
    private var parts: [MultipartPart] = []

    /// Starts a form without parts.
    ///
    /// - Parameter boundary: What separates the parts; fix it only in tests.
    public init(boundary: MultipartBoundary = .random()) {
        self.boundary = boundary
    }

    /// Adds a text.
    ///
    /// - Parameters:
    ///   - key: The name of the field.
    ///   - value: The text, sent in UTF-8; a bare CR or LF in it is sent as CRLF, as in any form.
    public mutating func add(key: String, value: String) {
        parts.append(MultipartPart(name: key, payload: .data(Data(MultipartEscaping.normalised(value)))))
    }

    /// Adds bytes as a field, without a filename.
    ///
    /// - Parameters:
    ///   - key: The name of the field.
    ///   - value: The bytes, sent as they are.
    ///   - type: What kind of bytes they are, such as `.json`. With nil the part does not say, and counts as text.
    public mutating func add(key: String, value: Data, type: MediaType? = nil) {
        parts.append(MultipartPart(name: key, type: type, payload: .data(value)))
    }

    /// Adds bytes as a file that is not on disk.
    ///
    /// - Parameters:
    ///   - key: The name of the field.
    ///   - value: The bytes, sent as they are.
    ///   - filename: The name that the server sees.
    ///   - type: What kind of bytes they are.
    public mutating func add(key: String, value: Data, filename: String, type: MediaType = .octetStream) {
        parts.append(MultipartPart(name: key, filename: filename, type: type, payload: .data(value)))
    }

    /// Adds a local file, which is read while the request is sent.
    ///
    /// - Parameters:
    ///   - key: The name of the field.
    ///   - file: The file, its name and its type.
    /// - Throws: ``MultipartFormFilePart/Error/invalidLocalFile(url:)`` if there is no regular, readable file at its
    ///   URL now. What happens to the file later is an error when the request is sent.
    public mutating func add(key: String, file: MultipartFormFilePart) throws(MultipartFormFilePart.Error) {
        let source: FileBodySource
        do {
            source = try FileBodySource(url: file.file)
        } catch {
            throw .invalidLocalFile(url: file.file)
        }
        parts.append(
            MultipartPart(name: key, filename: file.filename, type: file.mediaType, payload: .source(source))
        )
    }

    /// The form as it stands.
    package var form: MultipartForm {
        MultipartForm(boundary: boundary, parts: parts)
    }
}
