/// A GraphQL query or mutation as an ``Endpoint``, whose value is the `data` of the response.
///
/// ```swift
/// struct ItemData: Decodable, Sendable { var item: Item }
///
/// extension Endpoint where Self == GraphQLOperation<ItemData> {
///     static func itemQuery(id: Int) -> Self {
///         .query(
///             "query ($id: ID!) { item(id: $id) { id name } }", variables: ["id": id]
///         )
///     }
/// }
///
/// let item = try await client.fetch(.itemQuery(id: 1)).item.item
/// ```
/// By default, it is sent as a POST request with a JSON body (GraphQL over HTTP, draft of 2025); see ``usesGET``. If an
/// accepted response contains errors, the call throws ``GraphQLResponseError`` with all errors and the partial data.
/// The same applies to a response that is not accepted if its type is `application/graphql-response+json` and the
/// client's ``ResponseErrorMapper`` does not replace the error. Any other failure, such as an error response from a
/// gateway, is a ``NetworkClient/Error``. An envelope that the decoder of the client unwraps does not apply; a field in
/// `data` is a property of the value, as `item` is here, or the value itself after ``unwrapping(_:)``.
public struct GraphQLOperation<Value: Decodable & Sendable>: Endpoint {
    /// The type that the response is decoded as.
    public typealias Response = GraphQLResponse<Value>

    /// The kind of the operation in the document.
    public enum Kind: Hashable, Sendable {
        /// An operation that only reads; ``RetryInterceptor`` may send it again.
        case query

        /// An operation that changes something; it is sent again only with an `Idempotency-Key`.
        case mutation
    }

    /// The kind of the operation.
    public let kind: Kind

    /// The text of the operation.
    public var document: GraphQLDocument

    /// The values of the variables, which encode as an object; nil to send no `variables`.
    ///
    /// In a dictionary, a value that is nil is left out. A variable that is null needs a type that encodes it, or
    /// `NSNull` in a dictionary of several types.
    public var variables: (any Encodable & Sendable)?

    /// The name of the operation, for a document with several operations.
    public var operationName: String?

    /// The `extensions` of the request, which encode as an object, for example for persisted documents.
    public var extensions: (any Encodable & Sendable)?

    /// The path after the base URL of the client; nil for the base URL itself.
    public var path: RequestPath?

    /// Additional header fields, which replace the operation's fields of the same names.
    public var headers: [HeaderField] = []

    /// Whether a query is sent as a GET request with its parameters in the URL, to which caches can respond.
    ///
    /// A mutation is always sent as POST.
    public var usesGET = false

    /// Whether identical queries that are in flight at the same time share one exchange, as with
    /// `URLRequest.withInstanceCaching(customHash:)`; a mutation never does.
    public var isShared = false

    private var ownOptions: CallOptions
    /// The keys of the objects in `data` that lead to the value.
    private var steps: [EnvelopeStep] = []

    /// The settings that differ from the client's; a query is idempotent unless these settings say otherwise.
    public var options: CallOptions {
        get {
            var options = ownOptions
            if kind == .query, options.isIdempotent == nil { options.isIdempotent = true }
            if !steps.isEmpty { options.formatDecoding = { [steps] in FieldDecoder(decoder: $0, steps: steps) } }
            return options
        }
        set {
            ownOptions = newValue
            // The options may be those of another operation.
            ownOptions.formatDecoding = nil
        }
    }

    /// Returns the operation whose value is inside `data`: `["a", "b"]` of `{"viewer": {"tags": ["a", "b"]}}`.
    ///
    /// ```swift
    /// let query = GraphQLOperation<[String]>.query("{ viewer { tags } }")
    /// let tags = try await client.fetch(query.unwrapping("viewer", "tags")).item
    /// ```
    /// A missing key is a `DecodingError` that names it, even for an `Optional`; a value that is null is nil.
    ///
    /// - Parameter keys: The names of the fields from `data` to the value, as the decoder's key strategy converts them;
    ///   none for the only field.
    /// - Returns: The operation; further keys are those after its own.
    public func unwrapping(_ keys: String...) -> Self {
        var operation = self
        operation.steps += EnvelopeStep.steps(to: keys)
        return operation
    }

    @_disfavoredOverload
    private init(
        _ kind: Kind,
        _ document: GraphQLDocument,
        variables: (any Encodable & Sendable)? = nil,
        operationName: String? = nil,
        path: RequestPath? = "graphql",
        options: CallOptions = CallOptions()
    ) {
        self.kind = kind
        self.document = document
        self.variables = variables
        self.operationName = operationName
        self.path = path
        ownOptions = CallOptions()
        self.options = options
    }

    /// A query, sent by default to the path `graphql` after the base URL.
    ///
    /// - Parameters:
    ///   - document: The text of the operation.
    ///   - variables: The values of the variables; nil for none.
    ///   - operationName: The name of the operation, for a document with several operations.
    ///   - path: The path after the base URL of the client; nil for the base URL itself.
    ///   - options: The settings that differ from the client's.
    /// - Returns: The operation.
    @_disfavoredOverload
    public static func query(
        _ document: GraphQLDocument,
        variables: (any Encodable & Sendable)? = nil,
        operationName: String? = nil,
        path: RequestPath? = "graphql",
        options: CallOptions = CallOptions()
    ) -> Self {
        Self(.query, document, variables: variables, operationName: operationName, path: path, options: options)
    }

    /// A mutation, sent by default to the path `graphql` after the base URL.
    @_disfavoredOverload
    public static func mutation(
        _ document: GraphQLDocument,
        variables: (any Encodable & Sendable)? = nil,
        operationName: String? = nil,
        path: RequestPath? = "graphql",
        options: CallOptions = CallOptions()
    ) -> Self {
        Self(.mutation, document, variables: variables, operationName: operationName, path: path, options: options)
    }
}

// A dictionary literal of several types has no common `Encodable` type, so it has overloads of its own.

extension GraphQLOperation {
    private init(
        _ kind: Kind,
        _ document: GraphQLDocument,
        variables: [String: (any Sendable)?]?,
        operationName: String? = nil,
        path: RequestPath? = "graphql",
        options: CallOptions = CallOptions()
    ) {
        let encodable: (any Encodable & Sendable)? = variables.map { Variables(values: $0) }
        self.init(
            kind,
            document,
            variables: encodable,
            operationName: operationName,
            path: path,
            options: options
        )
    }

    /// A query with variables of several types, of which those that are nil are left out.
    ///
    /// A nested dictionary of several types is written `["size": 2, "name": "x"] as [String: any Sendable]`. A value
    /// that can't be encoded is an error of the call, before anything is sent.
    public static func query(
        _ document: GraphQLDocument,
        variables: [String: (any Sendable)?]?,
        operationName: String? = nil,
        path: RequestPath? = "graphql",
        options: CallOptions = CallOptions()
    ) -> Self {
        Self(.query, document, variables: variables, operationName: operationName, path: path, options: options)
    }

    /// A mutation with variables of several types, of which those that are nil are left out.
    public static func mutation(
        _ document: GraphQLDocument,
        variables: [String: (any Sendable)?]?,
        operationName: String? = nil,
        path: RequestPath? = "graphql",
        options: CallOptions = CallOptions()
    ) -> Self {
        Self(.mutation, document, variables: variables, operationName: operationName, path: path, options: options)
    }

    /// Returns a member of the request as it is sent: a dictionary without the values that are nil, or another value.
    private func encoded(_ value: (any Encodable)?, _ name: String) throws -> (any Encodable)? {
        guard let params = (value as? Variables)?.params ?? value as? Params else { return value }
        return try EncodableParams(params, name: name)
    }
}

extension GraphQLOperation {
    /// Returns the request: a POST with a JSON body, or for a query with ``usesGET`` a GET with a query string.
    ///
    /// - Throws: ``GraphQLDocumentError``; `BodyEncodingError` for variables that can't be encoded; `RequestPathError`.
    public func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
        let request = try parameters(from: builder)
            .set(header: .accept(types: [.graphQLResponse, .json]))
            .set(headers: headers)
            .build()
        return isShared && kind == .query ? request.withInstanceCaching() : request
    }

    /// Returns the data of a response without errors.
    ///
    /// - Throws: ``GraphQLResponseError`` for a response with errors.
    public func value(from response: NetworkClient.Response<Response>) async throws -> Value {
        let (item, head) = (response.item, response.httpResponse)
        guard item.errors.isEmpty else { throw GraphQLResponseError(item, head) }
        guard let data = item.data else {
            let error = GraphQLResponse<Value>.missingData(at: [])
            throw NetworkClient.Error.decodingError(type: UndecodableResponse.adding(head, Data(), to: error))
        }
        return data
    }

    private func parameters(from builder: URLRequest.PathBuilder) throws -> URLRequest.QueryBuilder {
        let text = try document.text()
        let variables = try encoded(variables, "variables")
        let extensions = try encoded(extensions, "extensions")
        guard usesGET, kind == .query else {
            var members: [String: Member] = ["query": Member(text)]
            members["variables"] = variables.map { Member($0) }
            members["operationName"] = operationName.map { Member($0) }
            members["extensions"] = extensions.map { Member($0) }
            return try begin(.post, builder).bodyJson(of: members)
        }
        let encoder = builder.options.encoder
        func json(_ value: any Encodable) throws -> String {
            String(decoding: try encoder.encode(Member(value)), as: UTF8.self)
        }
        return try begin(.get, builder).noBody()
            .add(query: "query", value: text)
            .add(query: "operationName", value: operationName)
            .add(query: "variables", value: variables.map { try json($0) })
            .add(query: "extensions", value: extensions.map { try json($0) })
    }

    private func begin(_ method: HTTPMethod, _ builder: URLRequest.PathBuilder) throws -> URLRequest.BodyBuilder {
        guard let path else { return builder.method(method) }
        return try builder.method(method, path: path)
    }
}

extension GraphQLOperation: CustomStringConvertible, CustomReflectable {
    /// The kind and the name, without the variables.
    public var description: String {
        "GraphQLOperation (\(kind)\(operationName.map { " \($0)" } ?? ""))"
    }

    /// A mirror without variables and header fields, which may be secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["kind": kind, "operationName": operationName as Any], displayStyle: .struct)
    }
}

/// A dictionary of variables of several types.
private struct Variables: Encodable, Sendable {
    let values: [String: (any Sendable)?]

    var params: Params { values.mapValues { $0 as Any } }

    func encode(to encoder: any Encoder) throws { try EncodableParams(params).encode(to: encoder) }
}

/// The value of a member of the request.
///
/// A dictionary contains the members, since an encoder's key strategy does not change the keys of a dictionary:
/// `operationName` is sent unchanged.
private struct Member: Encodable {
    private let value: any Encodable

    init(_ value: any Encodable) {
        self.value = value
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
