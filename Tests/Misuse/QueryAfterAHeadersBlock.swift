// expect: before the headers
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func queryAfterAHeadersBlock(url: URL) {
    _ = URLRequest.get(url: url).headers { HeaderField.accept(type: .json) }.add(query: "page", value: "1")
}
