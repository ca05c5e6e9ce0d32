/// The header fields of a response in the order in which they were received, duplicates included.
///
/// Names are compared without regard to case (RFC 9110 §5.1).
///
/// ```swift
/// let response = try await client.fetch(request: request)
/// for cookie in response.fields.values(named: "Set-Cookie") { print(cookie) }
/// ```
public struct ResponseFields: Hashable, Sendable {
    /// One header field.
    public struct Field: Hashable, Sendable {
        /// The name in the spelling that was received.
        public let name: String

        /// The value without white space around it; bytes that are not UTF-8 are decoded as ISO 8859-1.
        public let value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    private let fields: [Field]

    /// Creates a collection of fields in the given order.
    public init(_ fields: [Field]) {
        self.fields = fields
    }

    /// Creates a collection of fields that Foundation has joined by name, sorted by their names.
    init(joined: [AnyHashable: Any]) {
        fields = joined.map { Field(name: "\($0.key)", value: "\($0.value)") }.sorted { $0.name < $1.name }
    }

    /// Returns whether a field describes a body as it was sent, before its content coding was decoded.
    static func describesCodedBody(_ name: String) -> Bool {
        ["Content-Encoding", "Content-Length"].contains { HeaderField.isSameName($0, name) }
    }

    /// Returns the values of all fields of one name, in the order in which they were received.
    ///
    /// The name may be in any letter case. The result is empty if there is no such field.
    public func values(named name: String) -> [String] {
        fields.filter { HeaderField.isSameName($0.name, name) }.map(\.value)
    }

    /// The values of all fields of one name, in any letter case, joined by `, ` (RFC 9110 §5.3); nil if there is no
    /// such field.
    ///
    /// For `Set-Cookie`, whose values contain commas, use ``values(named:)``.
    public subscript(name: String) -> String? {
        let values = values(named: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The fields in Foundation's form: one value for each name, in the spelling that was received first.
    var joined: [String: String] {
        var places: [String: Int] = [:]
        var groups: [(name: String, values: [String])] = []
        for field in fields {
            let key = field.name.lowercased()
            if let place = places[key] {
                groups[place].values.append(field.value)
            } else {
                places[key] = groups.count
                groups.append((field.name, [field.value]))
            }
        }
        let pairs = groups.map { ($0.name, $0.values.joined(separator: ", ")) }
        return Dictionary(pairs) { first, _ in first }
    }
}

extension ResponseFields: OpaqueValue {
    /// The number and the names of the fields, without their values.
    public var description: String {
        "\(count) header fields: \(fields.map(\.name).joined(separator: ", "))"
    }
}

extension ResponseFields.Field: OpaqueValue {
    /// The name, without the value.
    public var description: String { "the header field \(name.debugDescription)" }
}

extension ResponseFields: RandomAccessCollection {
    /// The position of the first field, always 0.
    public var startIndex: Int { fields.startIndex }

    /// The number of fields.
    public var endIndex: Int { fields.endIndex }

    /// The field at a position.
    public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPURLResponse {
    /// The header fields in the order in which they were received, with duplicates, as far as the transport knows them.
    ///
    /// URLSession joins fields of one name and does not keep their order.
    public var receivedFields: ResponseFields {
        (self as? ReceivedResponse)?.knownFields ?? ResponseFields(joined: allHeaderFields)
    }

    /// Returns the values of the fields of one name; cheaper than reading all fields.
    func receivedValues(named name: String) -> [String] {
        (self as? ReceivedResponse)?.knownFields?.values(named: name)
            ?? value(forHTTPHeaderField: name).map { [$0] } ?? []
    }

    /// The trailer fields (RFC 9110 §6.5), which some servers send after the body, such as its digest.
    ///
    /// Empty for the head of a body that is still being received: `Response.trailers` has them once it has ended. Empty
    /// as well for a response that was not received by a client, and on URLSession, which drops them.
    public var trailers: ResponseFields { (self as? ReceivedResponse)?.knownTrailers ?? ResponseFields([]) }

    /// The times, bytes, HTTP version and redirects of the exchange.
    ///
    /// Nil for a response that was not received by a client, that an interceptor made, or that URLSession received with
    /// an accepted status; in the last case, use `Response.metrics`.
    public var metrics: TransportMetrics? { (self as? ReceivedResponse)?.knownMetrics }
}
