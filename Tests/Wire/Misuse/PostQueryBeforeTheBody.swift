// expect: post, put, patch and method need a body step next
// expect: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()
import Foundation
import NetworkUtilities

func postQueryBeforeTheBody(url: URL) {
    _ = URLRequest.build().post(url: url).add(query: "page", value: "1")
}
