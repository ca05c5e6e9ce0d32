public import Foundation

extension URL {
    /// The query's items in their order, decoded; none if the URL has no query.
    ///
    /// An item without a `=` has no value, and `&&` holds no item. Nothing is lost: an escape that is not two
    /// hexadecimal digits stays as it is written, and so does a name or value whose escapes are not UTF-8. A `+` is a
    /// `+`.
    public var queryItems: [URLQueryItem] {
        QueryReader.items(of: self) ?? []
    }
}
