// expect: choose a method first
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func queryItemsSetBeforeTheMethod(url: URL) {
    _ = URLRequest.build().set(queryItems: [URLQueryItem(name: "page", value: "1")])
}
