// expect: post, put, patch and method need a body step next
// expect: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()
import Foundation
import NetworkUtilities

func headersBlockBeforeTheBody(url: URL) {
    _ = URLRequest.build().post(url: url).headers { HeaderField.accept(type: .json) }
}
