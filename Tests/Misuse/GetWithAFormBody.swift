// expect: GET, HEAD and DELETE carry no body
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func getWithAFormBody(url: URL) throws {
    _ = try URLRequest.build().get(url: url).bodyForm(params: ["name": "Alice"])
}
