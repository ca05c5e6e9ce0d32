public import Foundation

/// One part of a form: a name, and a text, bytes, a file, or a body of any kind.
///
/// Names and filenames may be any text: what would end them early is escaped as browsers do (WHATWG HTML, multipart/
/// form-data encoding). Of header fields, control characters become spaces. So nothing that is passed here can add a
/// part or a header field.
public struct MultipartPart: Sendable {
    private enum Payload {
        case text(String)
        case content(RequestContent)
    }

    private let name: String
    private let filename: String?
    private let type: MediaType?
    private let headers: [HeaderField]
    private let payload: Payload

    private init(
        _ name: String,
        filename: String? = nil,
        type: MediaType? = nil,
        headers: [HeaderField] = [],
        _ payload: Payload
    ) {
        self.name = name
        self.filename = filename
        self.type = type
        self.headers = headers
        self.payload = payload
    }

    /// A text.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - text: The text, sent in UTF-8; a bare CR or LF in it is sent as CRLF, as in any form.
    public init(name: String, text: String) {
        self.init(name, .text(text))
    }

    /// Bytes: a field, or with a filename a file that is not on disk.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - data: The bytes, sent as they are.
    ///   - filename: The name that the server sees; nil for a field that is no file.
    ///   - type: What kind of bytes they are. With nil, a file is `application/octet-stream`, and a field does not say,
    ///     which counts as text.
    public init(name: String, data: Data, filename: String? = nil, type: MediaType? = nil) {
        let type = type ?? (filename == nil ? nil : .octetStream)
        self.init(name, filename: filename, type: type, .content(.data(data)))
    }

    /// A local file, which is read while the request is sent.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - file: The file, its name and its type.
    /// - Throws: ``MultipartFormFilePart/Error/invalidLocalFile(url:)`` if there is no regular, readable file at its
    ///   URL now. What happens to the file later is an error when the request is sent.
    public init(name: String, file: MultipartFormFilePart) throws(MultipartFormFilePart.Error) {
        do {
            let content = try RequestContent.file(at: file.file)
            self.init(name, filename: file.filename, type: file.mediaType, .content(content))
        } catch {
            throw .invalidLocalFile(url: file.file)
        }
    }

    /// A value as JSON, with `Content-Type: application/json` and without a filename.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - value: Any value that encodes, also an array or a dictionary.
    ///   - encoder: What encodes it; the options of a request builder do not reach into a form.
    /// - Throws: ``BodyEncodingError/json(path:reason:)`` if the value has no JSON form.
    public init(
        name: String,
        json value: some Encodable,
        encoder: any JSONDataEncoder = DefaultJsonEncoder()
    ) throws {
        self.init(name, type: .json, .content(.data(try encoder.encode(value))))
    }

    /// A body of any kind, with header fields of its own.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - body: The bytes and what kind they are.
    ///   - filename: The name that the server sees; nil for a field that is no file.
    ///   - headers: Further fields, such as `Content-ID`; a server that keeps to RFC 7578 §4.8 does not look at them.
    ///     `Content-Type` goes before the media type of the body. One without a value is left out.
    /// - Throws: What the body throws when it is asked for its content, ``BodySourceError/invalidLength(_:)``, and
    ///   ``HeaderFieldError/reserved(name:)`` for `Content-Disposition`, which the part writes itself.
    public init(
        name: String,
        body: some RequestBody,
        filename: String? = nil,
        headers: [HeaderField] = []
    ) throws {
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
        let content = try body.content().checked()
        self.init(name, filename: filename, type: type, headers: others, .content(content))
    }

    /// Writes the part as it is sent.
    func write(to writer: inout MultipartWriter) {
        writer.beginPart(name: name, filename: filename)
        writer.append(type: type)
        for field in headers {
            if let value = field.value { writer.append(field: field.name, value) }
        }
        switch payload {
        case .text(let text): writer.endPart(text: text)
        case .content(let content): writer.endPart(content)
        }
    }
}
