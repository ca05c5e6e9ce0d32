// expect: a body step is not possible here: the order is method, body, query, headers, build()
// expect: give the body once, right after post, put, patch or method and before the headers
// expect: GET, HEAD and DELETE carry no body
import Foundation
import NetworkUtilities

func getWithAFormBody(url: URL) throws {
    _ = try URLRequest.build().get(url: url).bodyForm(params: ["name": "Alice"])
}
