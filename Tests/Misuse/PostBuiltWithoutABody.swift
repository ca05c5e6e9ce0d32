// expect: needs a body step
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func postBuiltWithoutABody(url: URL) {
    _ = URLRequest.build().post(url: url).build()
}
