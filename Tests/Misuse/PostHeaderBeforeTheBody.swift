// expect: needs a body step
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func postHeaderBeforeTheBody(url: URL) {
    _ = URLRequest.build().post(url: url).add(header: .accept(type: .json))
}
