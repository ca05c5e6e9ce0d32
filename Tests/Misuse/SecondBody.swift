// expect: a body is given once
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func secondBody(url: URL) throws {
    _ = try URLRequest.build().post(url: url).bodyJson(of: ["name": "Alice"]).bodyJson(of: ["name": "Bob"])
}
