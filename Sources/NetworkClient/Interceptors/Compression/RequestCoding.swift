/// A content coding for the body of a request (RFC 9110 §8.4.1).
public struct RequestCoding: Hashable, Sendable {
    let format: BodyEncoder.Format?

    /// Gzip (RFC 1952), which most servers that decode requests accept.
    public static let gzip = RequestCoding(format: .gzip)

    /// The zlib format (RFC 1950), which HTTP calls deflate.
    public static let deflate = RequestCoding(format: .deflate)

    /// No coding.
    public static let identity = RequestCoding(format: nil)

    // In an optional, `.none` would be nil, which keeps the interceptor's coding.
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    @available(*, unavailable, renamed: "identity")
    public static var none: RequestCoding { fatalError() }

    /// The media types that are compressed by default: JSON, XML, URL-encoded forms, lines of JSON, GraphQL, YAML,
    /// `text/*`, and Protocol Buffers as OpenTelemetry sends them.
    public static let textTypes: [MediaType] = [
        .json, "text/*", .xml, .url(), .ndjson, "application/jsonl", "application/graphql", .yaml,
        "application/x-protobuf",
    ]

    /// Returns whether the value of an `Accept-Encoding` field in a response contains the coding (RFC 9110 §12.5.3).
    func isAccepted(by value: String) -> Bool {
        let elements = value.lowercased().split(separator: ",").map { element in
            element.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        func weight(_ name: String) -> Double? {
            guard let element = elements.first(where: { $0.first == name }) else { return nil }
            let text = element.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
            return text.map { Double($0) ?? 0 } ?? 1
        }
        return (weight(description) ?? weight("x-\(description)") ?? weight("*") ?? 0) > 0
    }
}

extension RequestCoding: CustomStringConvertible {
    /// The name of the coding in header fields.
    public var description: String { format?.rawValue ?? "identity" }
}
