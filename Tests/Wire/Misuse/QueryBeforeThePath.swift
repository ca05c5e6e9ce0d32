// expect: a query step is not possible here: the order is method, body, query, headers, build()
// expect: Choose a method first
import Foundation
import NetworkUtilities

func queryBeforeThePath(url: URL) throws {
    _ = URLRequest.builder(baseURL: url).add(query: "page", value: "1")
}
