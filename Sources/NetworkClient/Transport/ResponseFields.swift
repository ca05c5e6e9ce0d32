import NetworkUtilities

/// The header fields of an answer in the order in which they were received, duplicates included.
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
        /// The name as it was received.
        public let name: String

        /// The value without white space around it; bytes that are not UTF-8 are taken for ISO 8859-1.
        public let value: String

        /// Takes a field.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - value: The value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    private let fields: [Field]

    /// Takes fields in their order.
    ///
    /// - Parameter fields: The fields.
    public init(_ fields: [Field]) {
        self.fields = fields
    }

    /// Fields of one name that are joined already, in the order of their names.
    init(joined: [AnyHashable: Any]) {
        fields = joined.map { Field(name: "\($0.key)", value: "\($0.value)") }.sorted { $0.name < $1.name }
    }

    /// The values of all fields of one name, in the order in which they were received.
    ///
    /// - Parameter name: The name, in any letter case.
    /// - Returns: The values; none if there is no such field.
    public func values(named name: String) -> [String] {
        fields.filter { HeaderField.isSameName($0.name, name) }.map(\.value)
    }

    /// The values of all fields of one name, joined by `, ` as RFC 9110 §5.3 has it; nil if there is no such field.
    ///
    /// For `Set-Cookie`, whose values hold commas, ask for ``values(named:)``.
    ///
    /// - Parameter name: The name, in any letter case.
    public subscript(name: String) -> String? {
        let values = values(named: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// As Foundation has them: one value for each name, in the spelling that came first.
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

extension ResponseFields: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { fields.startIndex }

    /// How many fields there are.
    public var endIndex: Int { fields.endIndex }

    /// A field by its place.
    ///
    /// - Parameter position: From 0 to one less than the number of fields.
    public subscript(position: Int) -> Field { fields[position] }
}
