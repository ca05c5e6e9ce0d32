import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Header fields that are meant for one origin: they neither follow a redirect to another one, nor go along when a
/// client with a base URL sends a request elsewhere.
struct CredentialFields: Sendable {
    /// Names of further fields, which the user calls sensitive.
    let sensitiveHeaders: [String]

    /// Whether a field of this name belongs to its origin.
    func contains(_ name: String) -> Bool {
        SensitiveNames.isHeader(name)
            || (Self.standard + sensitiveHeaders).contains { HeaderField.isSameName($0, name) }
    }

    /// Removes them, but for those that `kept` has with the same value.
    func remove(from request: inout URLRequest, keeping kept: [String: String] = [:]) {
        for (name, value) in request.allHTTPHeaderFields ?? [:] where contains(name) {
            let isKept = kept.contains { HeaderField.isSameName($0.key, name) && $0.value == value }
            if !isKept { request.set(header: .custom(name: name, value: nil)) }
        }
    }

    /// Beside those whose names tell it: `Origin` and `Host` name the origin, `Referer` may hold what its URL held.
    private static let standard = ["Origin", "Host", "Referer"]
}
