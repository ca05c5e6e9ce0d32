/// One part of a form: a name, and a text, bytes, a file, or a custom body.
///
/// Names and filenames may be any text: no argument can add a part or a header field. In names, CR, LF and `"` are
/// percent-escaped as browsers do (WHATWG HTML, multipart/form-data encoding), and other characters are sent unchanged;
/// in the media type and additional fields, control characters become spaces.
public struct MultipartPart: Sendable {
    private enum Payload {
        case text(String)
        case content(RequestContent)
    }

    private let name: String
    private var filename: String?
    private var type: MediaType?
    private var headers: [HeaderField] = []
    private let payload: Payload
}

extension MultipartPart: OpaqueValue {
    /// The name of the part and its filename, without its content.
    public var description: String {
        "the part \(name.debugDescription)" + (filename.map { " with the file \($0.debugDescription)" } ?? "")
    }
}

extension MultipartPart {
    /// Creates a part from a text, sent in UTF-8; a bare CR or LF in it is sent as CRLF, as in any form.
    public init(name: String, text: String) {
        self.init(name: name, payload: .text(text))
    }

    /// Creates a part from bytes: a field, or with a filename a file that is not on disk.
    ///
    /// Without a type, that of a file is from the extension of its filename, and servers read a field as text.
    public init(name: String, data: Data, filename: String? = nil, type: MediaType? = nil) {
        let type = type ?? filename.map { MediaType(fileName: $0) ?? .octetStream }
        self.init(name: name, filename: filename, type: type, payload: .content(.data(data)))
    }

    /// Creates a part from a local file, which is read while the request is sent.
    ///
    /// - Throws: ``MultipartFormFilePart/Error/invalidLocalFile(url:)`` unless there is a readable regular file at its
    ///   URL now. If the file changes later, sending the request fails.
    public init(name: String, file: MultipartFormFilePart) throws(MultipartFormFilePart.Error) {
        do {
            let content = try RequestContent.file(at: file.file)
            self.init(name: name, filename: file.filename, type: file.mediaType, payload: .content(content))
        } catch {
            throw .invalidLocalFile(url: file.file)
        }
    }

    /// Creates a part from a value as JSON, with `Content-Type: application/json` and without a filename.
    ///
    /// Uses the given encoder, not the one of the request builder's options.
    ///
    /// - Throws: ``BodyEncodingError/json(path:reason:)`` for a value that can't be encoded.
    public init(name: String, json value: some Encodable, encoder: any JSONDataEncoder = DefaultJsonEncoder()) throws {
        self.init(name: name, type: .json, payload: .content(.data(try encoder.encode(value))))
    }

    /// Creates a part from a custom body, with additional header fields.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - body: The bytes and their media type.
    ///   - filename: The name that the server sees; nil for a field that is not a file.
    ///   - headers: Additional fields, such as `Content-ID`, which servers ignore if they follow RFC 7578 §4.8.
    ///     `Content-Type` overrides the media type of the body. A field without a value is left out.
    /// - Throws: The errors of the body, ``BodySourceError/invalidLength(_:)``, and
    ///   ``HeaderFieldError/reserved(name:)`` for `Content-Disposition`, which the part writes itself.
    public init(name: String, body: some RequestBody, filename: String? = nil, headers: [HeaderField] = []) throws {
        var type = body.mediaType
        var others: [HeaderField] = []
        for field in headers {
            guard !HeaderField.isSameName(field.name, "Content-Disposition") else {
                throw HeaderFieldError.reserved(name: field.name)
            }
            if HeaderField.isSameName(field.name, "Content-Type") {
                type = field.value.map { MediaType($0) }
            } else {
                others.append(field)
            }
        }
        let content = try body.makeContent().checked()
        self.init(name: name, filename: filename, type: type, headers: others, payload: .content(content))
    }

    /// Appends the part to a form: its header fields and its content.
    func write(to writer: inout MultipartWriter) {
        writer.beginPart(name: name, filename: filename)
        // An empty media type would be a field without a value, which some parsers reject.
        if let type, !type.value.isEmpty { writer.append(field: "Content-Type", type.value) }
        for field in headers {
            if let value = field.value { writer.append(field: field.name, value) }
        }
        switch payload {
        case .text(let text): writer.endPart(text: text)
        case .content(let content): writer.endPart(content)
        }
    }
}

/// A local file that is sent as one part of a form.
///
/// The file is read while the request is sent, never into memory as a whole. Adding it to a form records which file it
/// is, its length and its modification time; if the file changes before it is sent, the request fails.
public struct MultipartFormFilePart: Hashable, Sendable {
    /// The URL of the file: a `file:` URL.
    public let file: URL

    /// The name that the server sees.
    public let filename: String

    /// The media type of the file.
    public let mimeType: MimeType

    /// Creates a description of a file; the file itself is opened when the part is added to a form.
    ///
    /// - Parameters:
    ///   - file: A `file:` URL of a regular file.
    ///   - filename: The name that the server sees. With nil, the last component of the URL's path.
    ///   - mimeType: The media type of the file; by default from the extension of the filename.
    public init(file: URL, filename: String? = nil, mimeType: MimeType = .auto()) {
        self.file = file
        self.filename = filename ?? file.lastPathComponent
        self.mimeType = mimeType
    }

    /// Creates a description of a file whose media type is known.
    ///
    /// - Parameters:
    ///   - file: A `file:` URL of a regular file.
    ///   - filename: The name that the server sees. With nil, the last component of the URL's path.
    ///   - type: The media type of the file.
    public init(file: URL, filename: String? = nil, type: MediaType) {
        self.init(file: file, filename: filename, mimeType: .type(mimeType: type.value))
    }

    /// The media type that is sent.
    var mediaType: MediaType {
        switch mimeType {
        case .type(let mimeType): MediaType(mimeType)
        case .auto(let fallback): MediaType(fileName: filename) ?? MediaType(fallback)
        }
    }

    /// How the media type of a file part is chosen.
    public enum MimeType: Hashable, Sendable {
        /// The media type of the filename's extension, as by ``MediaType/init(fileExtension:)``; the fallback if the
        /// extension is unknown.
        case auto(withFallback: String = "application/octet-stream")

        /// A fixed media type, used verbatim; control characters in it become spaces.
        case type(mimeType: String)
    }

    /// The error for a file that cannot be added to a form.
    @nonexhaustive
    public enum Error: Swift.Error, Hashable, Sendable {
        /// The URL isn't a file URL, or the file is missing, not a regular file, or not readable.
        case invalidLocalFile(url: URL)
    }
}

extension MultipartFormFilePart.Error: DescribedError {
    /// One sentence that names the file.
    public var description: String {
        switch self {
        case .invalidLocalFile(let url) where url.isFileURL:
            "The file '\(url.path)' cannot be a part of a form: it is missing, not a regular file or not readable."
        case .invalidLocalFile(let url):
            "A URL with the scheme '\(url.scheme ?? "")' cannot be a part of a form: only a local file can."
        }
    }
}
