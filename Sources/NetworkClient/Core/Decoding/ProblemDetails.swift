import JSONDecoding

/// The details of an error that a service responds with as `application/problem+json` (RFC 9457).
///
/// ```swift
/// do {
///     try await client.fetch(request: request)
/// } catch let error as NetworkClient.Error {
///     guard let problem = error.problemDetails else { throw error }
///     let balance: Int? = problem["balance"]
///     print(problem.title ?? problem.type, balance ?? 0)
/// }
/// ```
///
/// Members of another type than RFC 9457 §3.1 defines are ignored. The texts are from the service: treat them as input.
public struct ProblemDetails: Hashable, Sendable {
    /// A URI reference that identifies the kind of problem; `about:blank` if it is missing.
    public let type: String

    /// A short summary of the kind of problem.
    public let title: String?

    /// The status code that the origin server has set.
    public let status: Int?

    /// An explanation of this occurrence of the problem.
    public let detail: String?

    /// A URI reference that identifies this occurrence of the problem.
    public let instance: String?

    private let extensions: [String: JSONTree]

    /// Creates details without extension members.
    public init(
        type: String = "about:blank",
        title: String? = nil,
        status: Int? = nil,
        detail: String? = nil,
        instance: String? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.instance = instance
        extensions = [:]
    }

    /// The names of the extension members, sorted.
    public var extensionNames: [String] { extensions.keys.sorted() }

    /// The value of an extension member (RFC 9457 §3.2), decoded as the type that the caller expects; nil if there is
    /// no such member or it is not of that type.
    ///
    /// Dates are decoded as ``DefaultDecoder`` decodes them.
    public subscript<Value: Decodable>(name: String) -> Value? {
        extensions[name]?.decoded()
    }
}

extension ProblemDetails: OpaqueValue {
    /// The type and the status, without the other texts of the service, which may quote a secret.
    public var description: String {
        "the problem '\(RecognizableSecret.masked(type))'" + (status.map { " (\($0))" } ?? "")
    }
}

extension ProblemDetails: Codable {
    /// Decodes the members of a JSON object.
    ///
    /// - Throws: `DecodingError` if the value is not an object.
    public init(from decoder: any Decoder) throws {
        var members = try JSONTree.Members(from: decoder).values
        func text(_ name: String) -> String? {
            guard case .text(let text) = members.removeValue(forKey: name) else { return nil }
            return text
        }
        type = text("type") ?? "about:blank"
        title = text("title")
        detail = text("detail")
        instance = text("instance")
        if case .integer(let code) = members.removeValue(forKey: "status") {
            status = Int(exactly: code)
        } else {
            status = nil
        }
        extensions = members
    }

    /// Encodes the members as a JSON object.
    public func encode(to encoder: any Encoder) throws {
        var members = extensions
        members["type"] = .text(type)
        members["title"] = title.map(JSONTree.text)
        members["status"] = status.map { .integer(Int64($0)) }
        members["detail"] = detail.map(JSONTree.text)
        members["instance"] = instance.map(JSONTree.text)
        try members.encode(to: encoder)
    }
}

extension ProblemDetails {
    /// The maximum length of a body in bytes, which limits the work for an error.
    private static let maximumLength = 1 << 16

    /// Creates details from the body of a response; nil if it is of another media type, longer than 64 KiB, or not a
    /// JSON object.
    init?(body: Data, contentType: String?) {
        guard let contentType, MediaType(contentType).essence == MediaType.problemJSON.essence else { return nil }
        guard body.count <= Self.maximumLength else { return nil }
        var decoder = DefaultDecoder()
        // The native decoder is used on every platform: JSONDecoder takes much longer for values of unknown types.
        decoder.implementation = .native
        guard let details: ProblemDetails = try? decoder.decode(data: body) else { return nil }
        self = details
    }
}

extension JSONTree {
    /// Decodes the value as a type, with the dates of ``DefaultDecoder``; nil if it is of another type.
    func decoded<Value: Decodable>() -> Value? {
        var decoder = DefaultDecoder()
        decoder.implementation = .native
        // The value is decoded within an array: as a whole body, text or a Boolean would be read by looser rules than
        // those of JSON.
        let json = [UInt8(ascii: "[")] + json + [UInt8(ascii: "]")]
        let values: [Value]? = try? decoder.decode(data: Data(json))
        return values?.first
    }
}
