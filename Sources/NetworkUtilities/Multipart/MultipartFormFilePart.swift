public import Foundation

/// A local file that is sent as one part of a form.
///
/// The file is read while the request is sent, never into memory as a whole. What it is, how long and when it was last
/// written to is recorded when it is added to the form; if that has changed by the time it is sent, the request fails.
public struct MultipartFormFilePart: Hashable, Sendable {
    /// Where the file is: a `file:` URL.
    public let file: URL

    /// The name that the server sees.
    public let filename: String

    /// What kind of bytes the file holds.
    public let mimeType: MimeType

    /// Describes a part; the file is looked at when the part is added to a form.
    ///
    /// - Parameters:
    ///   - file: A `file:` URL of a regular file.
    ///   - filename: The name that the server sees. With nil it is the last component of the URL's path.
    ///   - mimeType: What kind of bytes the file holds; by default what the name's extension says.
    public init(file: URL, filename: String? = nil, mimeType: MimeType = .auto()) {
        self.file = file
        self.filename = filename ?? file.lastPathComponent
        self.mimeType = mimeType
    }

    /// Describes a part whose media type is known.
    ///
    /// - Parameters:
    ///   - file: A `file:` URL of a regular file.
    ///   - filename: The name that the server sees. With nil it is the last component of the URL's path.
    ///   - type: What kind of bytes the file holds.
    public init(file: URL, filename: String? = nil, type: MediaType) {
        self.init(file: file, filename: filename, mimeType: .type(mimeType: type.value))
    }

    /// The part's media type; the extension of the name that the server sees counts.
    var mediaType: MediaType {
        switch mimeType {
        case .type(let mimeType):
            MediaType(mimeType)
        case .auto(let fallback):
            MediaType(fileName: filename) ?? MediaType(fallback)
        }
    }
}
