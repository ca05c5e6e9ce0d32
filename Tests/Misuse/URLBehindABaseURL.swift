// expect: a builder with a base URL takes path: in place of url:; begin another request with URLRequest.build()
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func uRLBehindABaseURL(url: URL) throws {
    _ = URLRequest.builder(baseURL: url).post(url: url)
}
