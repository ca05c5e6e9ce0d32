#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLRequest {
    /// A shell command that sends this request with cURL: method, URL, header fields and body.
    ///
    /// It is for a POSIX shell; every word is in single quotes. Secrets are masked, and a body in which they cannot be
    /// found (a multipart form, an image) is left out, unless everything is asked for. What is left out, a stream among
    /// it, is read from standard input, and a comment on the line before says so.
    ///
    /// - Parameter redaction: What is masked; ``LogRedaction/showingEverything`` gives the exact bytes.
    /// - Returns: The command.
    public func curlCommand(redaction: LogRedaction = .sensitive) -> String {
        CURLCommand(request: self, redaction: redaction).text
    }
}
