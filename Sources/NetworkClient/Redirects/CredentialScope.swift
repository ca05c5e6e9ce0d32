import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Where the credentials of a client with a base URL may go: to that URL's origin.
///
/// Whatever the interceptors gave a request for another origin is taken from it again, unless the caller's own request
/// had it: that credential was meant for where it goes.
struct CredentialScope: Sendable {
    let origin: Origin
    let fields: CredentialFields
    /// The header of the request as the caller gave it.
    let given: [String: String]

    func confine(_ request: inout URLRequest) {
        guard let url = request.url, Origin(of: url) != origin else { return }
        fields.remove(from: &request, keeping: given)
    }
}
