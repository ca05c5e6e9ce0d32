// expect: a body step is not possible here: the order is method, body, query, headers, build()
// expect: give the body once, right after post, put, patch or method and before the headers
import Foundation
import NetworkUtilities

func bodyAfterAHeader(url: URL) throws {
    _ = try URLRequest.build().get(url: url).add(header: .accept(type: .json)).bodyJson(of: ["name": "Alice"])
}
