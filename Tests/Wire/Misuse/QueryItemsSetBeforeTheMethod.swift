// expect: a query step is not possible here: the order is method, body, query, headers, build()
// expect: Choose a method first
import Foundation
import NetworkUtilities

func queryItemsSetBeforeTheMethod(url: URL) {
    _ = URLRequest.build().set(queryItems: [URLQueryItem(name: "page", value: "1")])
}
