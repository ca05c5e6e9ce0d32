// expect: a request has one method
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func secondVerb(url: URL) {
    _ = URLRequest.build().get(url: url).post(url: url)
}
