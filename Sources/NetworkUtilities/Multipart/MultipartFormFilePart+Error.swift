public import Foundation

extension MultipartFormFilePart {
    /// A file part that cannot be added to a form.
    public enum Error: Swift.Error, Hashable, Sendable {
        /// The URL is not that of a local file, or the file is missing, not a regular one, or not readable.
        case invalidLocalFile(url: URL)
    }
}

extension MultipartFormFilePart.Error: CustomStringConvertible {
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
