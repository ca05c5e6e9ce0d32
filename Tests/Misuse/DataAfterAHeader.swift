// expect: body steps come before the headers
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func dataAfterAHeader(url: URL) {
    _ = URLRequest.build().post(url: url).noBody().set(header: .accept(type: .json)).bodyData(Data([1]))
}
