// expect: post, put, patch and method need a body step next
// expect: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()
import Foundation
import NetworkUtilities

func postBuiltWithoutABody(url: URL) {
    _ = URLRequest.build().post(url: url).build()
}
