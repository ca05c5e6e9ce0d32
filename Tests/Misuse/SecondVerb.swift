// expect: has no member 'post'
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func secondVerb(url: URL) {
    _ = URLRequest.build().get(url: url).post(url: url)
}
