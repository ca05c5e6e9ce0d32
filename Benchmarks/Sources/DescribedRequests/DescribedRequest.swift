import Foundation
public import NetworkUtilities

/// One kind of request, described in one author's way.
public struct DescribedRequest: Sendable {
    /// The kind of request.
    public let kind: RequestKind

    /// The author.
    public let author: RequestAuthor

    /// Returns every kind by every author; the authors of one kind are neighbours.
    public static func all() -> [DescribedRequest] {
        RequestKind.allCases.flatMap { kind in
            RequestAuthor.allCases.map { DescribedRequest(kind: kind, author: $0) }
        }
    }

    /// Makes the request.
    public func make() throws -> URLRequest {
        switch (author, kind) {
        case (.builder, .query): ByBuilder.query()
        case (.builder, .json): try ByBuilder.json()
        case (.builder, .form): try ByBuilder.form()
        case (.builder, .multipart): ByBuilder.multipart()
        case (.hand, .query): try ByHand.query()
        case (.hand, .json): try ByHand.json()
        case (.hand, .form): try ByHand.form()
        case (.hand, .multipart): ByHand.multipart()
        }
    }

    /// Makes the request `count` times, in a function that an instruction counter can find by its name.
    @inline(never)
    public func makeRepeatedly(_ count: Int) throws {
        for _ in 0..<count { Self.keep(try make()) }
    }

    /// Uses the request, so that the optimiser can't remove the code that makes it.
    @inline(never)
    private static func keep(_ request: URLRequest) {
        withExtendedLifetime(request) {}
    }
}

/// The kinds of requests that are described.
public enum RequestKind: String, CaseIterable, Sendable {
    /// GET with three query items and two header fields.
    case query

    /// POST of a small struct as JSON.
    case json

    /// POST of a form of five fields.
    case form

    /// POST of two small parts.
    case multipart
}

/// The meaning of a request, without what authors may choose freely: letter case, boundary, order of members, escapes.
public struct RequestMeaning: Hashable, Sendable {
    private let method: String
    private let url: String
    private let fields: [String: String]
    private let body: String

    /// Reads a request.
    public init(_ request: URLRequest) throws {
        method = request.httpMethod ?? ""
        url = request.url?.absoluteString ?? ""
        let type = request.value(forHTTPHeaderField: "Content-Type") ?? ""
        let boundary = type.components(separatedBy: "boundary=").dropFirst().first ?? ""
        let given = request.allHTTPHeaderFields ?? [:]
        let pairs = given.map { ($0.key.lowercased(), Self.text($0.value, without: boundary)) }
        fields = Dictionary(pairs) { "\($0),\($1)" }
        let data = request.httpBody ?? Data()
        switch type {
        case "application/json":
            let value = try JSONSerialization.jsonObject(with: data)
            body = String(
                decoding: try JSONSerialization.data(withJSONObject: value, options: .sortedKeys),
                as: UTF8.self
            )
        case "application/x-www-form-urlencoded":
            body = Self.form(String(decoding: data, as: UTF8.self))
        default:
            body = Self.text(String(data: data, encoding: .isoLatin1) ?? "", without: boundary)
        }
    }

    private static func form(_ text: String) -> String {
        let fields = text.split(separator: "&").map {
            $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? "?"
        }
        return fields.joined(separator: "\n")
    }

    private static func text(_ text: String, without boundary: String) -> String {
        boundary.isEmpty ? text : text.replacingOccurrences(of: boundary, with: "B")
    }
}
