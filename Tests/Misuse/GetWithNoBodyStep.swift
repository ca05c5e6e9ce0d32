// expect: GET, HEAD and DELETE carry no body
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func getWithNoBodyStep(url: URL) {
    _ = URLRequest.build().get(url: url).noBody()
}
