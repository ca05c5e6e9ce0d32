// expect: post, put, patch and method need a body step next
// expect: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()
import Foundation
import NetworkUtilities

func styledQueryBeforeTheBody(url: URL) throws {
    _ = try URLRequest.build().post(url: url).add(query: "filter", value: ["price": 1.5], style: .form)
}
