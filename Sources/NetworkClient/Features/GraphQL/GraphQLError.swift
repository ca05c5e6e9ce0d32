import JSONDecoding

/// An error in a GraphQL response (GraphQL, October 2021, §7.1.2).
///
/// The server may quote variables in its message, so descriptions don't contain it.
public struct GraphQLError: Hashable, Sendable {
    /// A place in the document.
    public struct Location: Hashable, Sendable, Decodable {
        /// The line, from 1.
        public let line: Int

        /// The column, from 1.
        public let column: Int

        /// Creates a location.
        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// A part of the path to a field in the response.
    public enum PathComponent: Hashable, Sendable {
        /// The key of a field.
        case field(String)

        /// The index in a list.
        case index(Int)
    }

    /// The explanation for developers; empty if the server sent none.
    public let message: String

    /// The places in the document that the error is about.
    public let locations: [Location]

    /// The path to the field in the response that the error is about; empty for an error of the whole request.
    public let path: [PathComponent]

    private let extensions: [String: JSONTree]

    /// Creates an error, for example for a test.
    public init(
        message: String,
        locations: [Location] = [],
        path: [PathComponent] = [],
        code: String? = nil
    ) {
        self.init(message, locations, path, code.map { ["code": .text($0)] } ?? [:])
    }

    private init(
        _ message: String,
        _ locations: [Location] = [],
        _ path: [PathComponent] = [],
        _ extensions: [String: JSONTree] = [:]
    ) {
        self.message = message
        self.locations = locations
        self.path = path
        self.extensions = extensions
    }

    /// The `code` in the `extensions`, which many servers send, such as `UNAUTHENTICATED`.
    public var code: String? { self["code"] }

    /// The value of a member of the `extensions`, decoded as the type that the caller expects; nil if there is no such
    /// member or it is not of that type.
    ///
    /// Dates are decoded as ``DefaultDecoder`` decodes them.
    public subscript<Value: Decodable>(name: String) -> Value? {
        extensions[name]?.decoded()
    }
}

extension GraphQLError: Decodable {
    private enum Key: String, CodingKey {
        case message, locations, path, extensions
    }

    /// Decodes an error; members of wrong types are ignored, so that no error is lost.
    public init(from decoder: any Decoder) throws {
        guard let container = try? decoder.container(keyedBy: Key.self) else {
            self.init((try? decoder.singleValueContainer().decode(String.self)) ?? "")
            return
        }
        let extensions = try? container.decode(JSONTree.Members.self, forKey: .extensions)
        self.init(
            (try? container.decode(String.self, forKey: .message)) ?? "",
            (try? container.decode([Location].self, forKey: .locations)) ?? [],
            (try? container.decode([PathComponent].self, forKey: .path)) ?? [],
            extensions?.values ?? [:]
        )
    }
}

extension GraphQLError.PathComponent: Decodable {
    /// Decodes a string or an integer.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let index = try? container.decode(Int.self) {
            self = .index(index)
        } else {
            self = .field(try container.decode(String.self))
        }
    }
}

extension GraphQLError: OpaqueValue {
    /// The path in the response and the code, without the message.
    public var description: String { "a GraphQL error\(details)" }

    fileprivate var details: String {
        let shown = CodingPath(path.prefix(Self.maxPathComponents).map(\.key))
        let rest = path.count > Self.maxPathComponents ? "…" : ""
        let place = path.isEmpty ? "" : " at '\(shown)\(rest)'"
        return place + (code.flatMap(Self.shown).map { " with the code '\($0)'" } ?? "")
    }

    private static let maxPathComponents = 32

    /// Returns a code that is a name; nil for other texts, which may be secret.
    private static func shown(_ code: String) -> String? {
        let isName =
            code.utf8.count <= 64
            && code.utf8.allSatisfy {
                ASCII.isLetter($0) || ASCII.isDigit($0) || "_-.".utf8.contains($0)
            }
        return isName ? code : nil
    }
}

extension GraphQLError.PathComponent {
    fileprivate var key: AnyCodingKey {
        switch self {
        case .field(let name): AnyCodingKey(name)
        case .index(let index): AnyCodingKey(intValue: index)
        }
    }
}

/// The error for a response of a GraphQL server that contains errors.
///
/// ```swift
/// struct ItemData: Decodable, Sendable { var item: Item? }
///
/// do {
///     let query = GraphQLOperation<ItemData>.query("{ item(id: 1) { id name } }")
///     print(try await client.fetch(query).item.item?.name ?? "")
/// } catch let error as GraphQLResponseError {
///     let partial = error.data(as: ItemData.self)
///     print(error.errors.map(\.message), partial?.item?.name ?? "")
/// }
/// ```
public struct GraphQLResponseError: Error, Sendable {
    /// The errors; never empty if a server sent the response.
    public let errors: [GraphQLError]

    /// The status and the header fields.
    public let response: HTTPURLResponse

    private let partialData: (any Sendable)?

    /// Creates an error, for example for a test.
    public init<Value>(_ body: GraphQLResponse<Value>, _ response: HTTPURLResponse) {
        errors = body.errors
        partialData = body.data
        self.response = response
    }

    /// Returns the partial data of an operation with this type of value.
    ///
    /// It is nil if the response has no data, if it has null where the type allows no null, or if the operation has
    /// values of another type.
    public func data<Value>(as type: Value.Type = Value.self) -> Value? { partialData as? Value }
}

extension GraphQLResponseError: DescribedError, OpaqueValue {
    /// One sentence that names the URL, and the path and the code of the first error, but not the messages.
    public var description: String {
        let place = response.url.map { " of '\($0.shownPlace)'" } ?? ""
        let count = errors.count == 1 ? "an error" : "\(errors.count) errors, the first"
        return "The GraphQL response \(response.statusCode)\(place) has \(count)\(errors.first?.details ?? "")."
    }
}
