// expect: query steps come before the headers: move this call in front of the first header step
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func nilQueryAfterAHeader(url: URL) {
    _ = URLRequest.build().get(url: url).add(header: .accept(type: .json)).set(query: "page", value: nil)
}
