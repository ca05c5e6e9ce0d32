// expect: choose a method first
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func bodyBeforeTheMethod() throws {
    _ = try URLRequest.build().bodyJson(of: ["name": "Alice"])
}
