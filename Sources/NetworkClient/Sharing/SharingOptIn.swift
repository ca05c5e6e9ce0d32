import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// That a request may share its exchange with identical ones.
///
/// Nothing but header fields, URL and body travels with a `URLRequest` on every platform, so the opt-in rides as two
/// fields, which the client removes before an interceptor or a transport can see them.
struct SharingOptIn: Hashable, Sendable {
    /// A further mark that sharing requests must have in common; nil if none was given.
    let customHash: String?

    static let flagField = "X-Instance-Caching"
    static let hashField = "X-Instance-Caching-Hash"

    init?(of request: URLRequest) {
        self.init(in: request.allHTTPHeaderFields ?? [:])
    }

    /// Takes the header fields of a request: asking it for them is dearer than looking through them.
    init?(in fields: [String: String]) {
        guard Self.value(of: Self.flagField, in: fields) != nil else { return nil }
        customHash = Self.value(of: Self.hashField, in: fields)
    }

    /// Whether anything of an opt-in is there that has to be removed.
    static func isLeft(in fields: [String: String]) -> Bool {
        value(of: flagField, in: fields) != nil || value(of: hashField, in: fields) != nil
    }

    private static func value(of name: String, in fields: [String: String]) -> String? {
        fields.first { HeaderField.isSameName($0.key, name) }?.value
    }
}
