/// An HTTP status code (RFC 9110 §15).
///
/// The set is open: any number is a status. Use ``kind`` to handle codes that you do not know.
///
/// ```swift
/// func outcome(of response: HTTPURLResponse) -> String {
///     switch response.status {
///     case .ok, .created: "saved"
///     case let status: "the server says \(status)"
///     }
/// }
/// ```
public struct HTTPStatus: RawRepresentable, Hashable, Sendable {
    /// The class of a status, given by the first of its three digits.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// 100…199: an interim response (RFC 9110 §15.2).
        case informational

        /// 200…299: the request was understood and accepted (RFC 9110 §15.3).
        case successful

        /// 300…399: the request needs a further step (RFC 9110 §15.4).
        case redirection

        /// 400…499: the request is invalid or cannot be fulfilled (RFC 9110 §15.5).
        case clientError

        /// 500…599: the server failed on a request that seems valid (RFC 9110 §15.6).
        case serverError
    }

    /// The code.
    public let rawValue: Int

    /// Creates a status from any number; HTTP codes have three digits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The class of the status; nil below 100 and above 599.
    public var kind: Kind? {
        switch rawValue {
        case 100...199: .informational
        case 200...299: .successful
        case 300...399: .redirection
        case 400...499: .clientError
        case 500...599: .serverError
        default: nil
        }
    }

    /// The name registered with IANA, such as `Not Found`; nil for codes that are not registered.
    ///
    /// The registered name of 306 and 418 is `(Unused)`. The phrase that a server sends is not kept by `URLSession`,
    /// and has no meaning (RFC 9112 §4).
    public var reasonPhrase: String? { Self.reasonPhrases[rawValue] }

    private static let reasonPhrases: [Int: String] = consecutivePhrases.reduce(into: [:]) { phrases, group in
        for (offset, phrase) in group.value.enumerated() { phrases[group.key + offset] = phrase }
    }

    /// The phrases of consecutive codes, by the first of these codes.
    private static let consecutivePhrases: KeyValuePairs<Int, [String]> = [
        100: ["Continue", "Switching Protocols", "Processing", "Early Hints", "Upload Resumption Supported"],
        200: [
            "OK", "Created", "Accepted", "Non-Authoritative Information", "No Content", "Reset Content",
            "Partial Content", "Multi-Status", "Already Reported",
        ],
        226: ["IM Used"],
        300: [
            "Multiple Choices", "Moved Permanently", "Found", "See Other", "Not Modified", "Use Proxy", "(Unused)",
            "Temporary Redirect", "Permanent Redirect",
        ],
        400: [
            "Bad Request", "Unauthorized", "Payment Required", "Forbidden", "Not Found", "Method Not Allowed",
            "Not Acceptable", "Proxy Authentication Required", "Request Timeout", "Conflict", "Gone", "Length Required",
            "Precondition Failed", "Content Too Large", "URI Too Long", "Unsupported Media Type",
            "Range Not Satisfiable", "Expectation Failed", "(Unused)",
        ],
        421: [
            "Misdirected Request", "Unprocessable Content", "Locked", "Failed Dependency", "Too Early",
            "Upgrade Required",
        ],
        428: ["Precondition Required", "Too Many Requests"],
        431: ["Request Header Fields Too Large"],
        451: ["Unavailable For Legal Reasons"],
        500: [
            "Internal Server Error", "Not Implemented", "Bad Gateway", "Service Unavailable", "Gateway Timeout",
            "HTTP Version Not Supported", "Variant Also Negotiates", "Insufficient Storage", "Loop Detected",
        ],
        510: ["Not Extended", "Network Authentication Required"],
    ]
}

extension HTTPStatus: Codable {}

extension HTTPStatus: ExpressibleByIntegerLiteral {
    /// Creates the status of a code, as in `response.status == 404`.
    public init(integerLiteral code: Int) {
        self.init(rawValue: code)
    }
}

extension HTTPStatus: CustomStringConvertible {
    /// The code and its registered name, such as `404 Not Found`; only the code if it is not registered.
    public var description: String {
        reasonPhrase.map { "\(rawValue) \($0)" } ?? "\(rawValue)"
    }
}

extension HTTPURLResponse {
    /// The status code as a typed value with a name and a class.
    public var status: HTTPStatus { HTTPStatus(rawValue: statusCode) }
}
