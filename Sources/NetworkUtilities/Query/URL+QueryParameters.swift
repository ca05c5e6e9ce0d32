public import Foundation

extension URL {
    /// The query's items by name, decoded as ``queryItems`` are; nil if the URL has no query.
    ///
    /// Of several items with one name the last that has a value counts; an item without a value is left out.
    public var queryParameters: [String: String]? {
        guard let items = QueryReader.items(of: self) else { return nil }
        return items.reduce(into: [:]) { result, item in
            if let value = item.value { result[item.name] = value }
        }
    }
}
