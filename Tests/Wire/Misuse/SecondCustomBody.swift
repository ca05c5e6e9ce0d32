// expect: a body step is not possible here: the order is method, body, query, headers, build()
// expect: give the body once, right after post, put, patch or method and before the headers
// expect: GET, HEAD and DELETE carry no body
import Foundation
import NetworkUtilities

func secondCustomBody(url: URL, form: MultipartForm) throws {
    _ = try URLRequest.build().post(url: url).bodyText("Hello").body(form)
}
