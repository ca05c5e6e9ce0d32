// expect: needs a body step
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func headersBlockBeforeTheBody(url: URL) {
    _ = URLRequest.build().post(url: url).headers { HeaderField.accept(type: .json) }
}
