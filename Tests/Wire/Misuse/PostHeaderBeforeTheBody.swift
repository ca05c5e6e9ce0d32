// expect: post, put, patch and method need a body step next
// expect: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()
import Foundation
import NetworkUtilities

func postHeaderBeforeTheBody(url: URL) {
    _ = URLRequest.build().post(url: url).add(header: .accept(type: .json))
}
