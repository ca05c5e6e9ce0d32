#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// What a request says, without what authors may choose freely: letter case, boundary, order of members, escapes.
public struct RequestMeaning: Hashable, Sendable {
    private let method: String
    private let url: String
    private let fields: [String: String]
    private let body: String

    /// Reads a request.
    ///
    /// - Parameter request: One with its body in memory.
    /// - Throws: What Foundation throws of a JSON body that is none.
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
