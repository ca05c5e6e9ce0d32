// expect: GET carries no body
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func getWithNoBodyStep(url: URL) {
    _ = URLRequest.build().get(url: url).noBody()
}
