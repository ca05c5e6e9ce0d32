// expect: a body step is not possible here: the order is method, body, query, headers, build()
// expect: method(.delete, url:) begins a DELETE that has one
import Foundation
import NetworkUtilities

func deleteWithAJSONBody(url: URL) throws {
    _ = try URLRequest.delete(url: url).bodyJson(of: ["reason": "spam"])
}
