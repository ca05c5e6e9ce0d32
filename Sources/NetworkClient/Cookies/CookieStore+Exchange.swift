import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension CookieStore {
    /// A request as it is sent: with the cookies for its URL.
    ///
    /// What it has of its own comes first, and no stored cookie has one of those names.
    func adding(to request: URLRequest) -> URLRequest {
        guard request.httpShouldHandleCookies, let url = request.url else { return request }
        var request = request
        // A session of the user's would send those of its own storage in place of these.
        request.httpShouldHandleCookies = false
        let given = Self.given(by: request)
        let names = Self.names(in: given)
        let stored = cookies(for: url).filter { !names.contains(Array($0.name.utf8)) }
        guard !stored.isEmpty else { return request }
        let pairs = (given.isEmpty ? [] : [given]) + stored.map { "\($0.name)=\($0.value)" }
        request.set(header: .custom(name: "Cookie", value: pairs.joined(separator: "; ")))
        return request
    }

    /// Keeps what the answer to a request sets, whatever its status.
    func receive(_ answer: TransportResponse, to request: URLRequest) {
        guard request.httpShouldHandleCookies, let url = request.url else { return }
        receive(SetCookieFields.values(of: answer.head), from: url)
    }

    private static func given(by request: URLRequest) -> String {
        let fields = (request.allHTTPHeaderFields ?? [:]).filter { HeaderField.isSameName($0.key, "Cookie") }
        let values = fields.sorted { $0.key < $1.key }.map { CookieGrammar.trimmed(Array($0.value.utf8)[...]) }
        return values.filter { !$0.isEmpty }.map(CookieGrammar.text).joined(separator: "; ")
    }

    /// Octets, since texts that differ in them can be equal.
    private static func names(in field: String) -> Set<[UInt8]> {
        let pairs = Array(field.utf8).split(separator: CookieGrammar.semicolon)
        return Set(pairs.map { pair in Array(CookieGrammar.trimmed(pair.prefix { $0 != CookieGrammar.equals })) })
    }
}
