// expect: needs a body step
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func postQueryBeforeTheBody(url: URL) {
    _ = URLRequest.build().post(url: url).add(query: "page", value: "1")
}
