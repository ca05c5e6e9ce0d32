// expect: body steps come before the headers
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func bodyAfterAHeader(url: URL) throws {
    _ = try URLRequest.build().get(url: url).add(header: .accept(type: .json)).bodyJson(of: ["name": "Alice"])
}
