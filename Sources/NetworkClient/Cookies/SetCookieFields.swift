import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The `Set-Cookie` fields of an answer, one by one.
enum SetCookieFields {
    /// In the order in which they came, as far as Foundation keeps it: it joins the fields of one name by `, `.
    static func values(of response: HTTPURLResponse) -> [String] {
        response.allHeaderFields.flatMap { name, value -> [String] in
            guard let name = name as? String, HeaderField.isSameName(name, "Set-Cookie") else { return [] }
            guard let value = value as? String else { return [] }
            return SetCookieSplitter.split(value)
        }
    }
}
