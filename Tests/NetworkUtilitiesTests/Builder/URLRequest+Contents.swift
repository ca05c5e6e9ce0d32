@testable import NetworkUtilities

/// What a request would send, as texts that tests compare.
extension URLRequest {
    var address: String? { url?.absoluteString }
    var query: String? { url?.query }
    var fields: [String: String] { allHTTPHeaderFields ?? [:] }
    var contentType: String? { value(forHTTPHeaderField: "Content-Type") }
    var bodyText: String? { httpBody.map { String(decoding: $0, as: UTF8.self) } }
}

extension String {
    /// A query or form whose brackets are not escaped, since tests with them can be read.
    var withBrackets: String {
        replacingOccurrences(of: "%5B", with: "[").replacingOccurrences(of: "%5D", with: "]")
    }
}
