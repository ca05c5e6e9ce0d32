// expect: needs a body step
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func styledQueryBeforeTheBody(url: URL) throws {
    _ = try URLRequest.build().post(url: url).add(query: "filter", value: ["price": 1.5], style: .form)
}
