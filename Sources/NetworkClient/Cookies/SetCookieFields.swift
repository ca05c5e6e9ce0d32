import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The `Set-Cookie` fields of an answer, one by one.
enum SetCookieFields {
    /// In the order in which they came.
    static func values(of head: ResponseHead) -> [String] {
        head.knownFields?.values(named: "Set-Cookie") ?? values(of: head.response)
    }

    /// As far as Foundation keeps them: it joins the fields of one name by `, `.
    private static func values(of response: HTTPURLResponse) -> [String] {
        response.allHeaderFields.flatMap { name, value -> [String] in
            guard let name = name as? String, HeaderField.isSameName(name, "Set-Cookie") else { return [] }
            guard let value = value as? String else { return [] }
            return SetCookieSplitter.split(value)
        }
    }
}
