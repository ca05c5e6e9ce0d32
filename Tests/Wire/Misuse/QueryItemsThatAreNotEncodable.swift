// expect: requires that 'Filter' conform to 'Encodable'
import Foundation
import NetworkUtilities

private struct Filter {}

/// The order of the steps is right, so no message may blame it.
func queryItemsThatAreNotEncodable(url: URL) throws {
    _ = try URLRequest.build().get(url: url).add(queryItems: Filter())
}
