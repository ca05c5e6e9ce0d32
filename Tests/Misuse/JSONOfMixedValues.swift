// expect: a dictionary with values of several types is not Encodable
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func jsonOfMixedValues(url: URL, values: [String: Any]) throws {
    _ = try URLRequest.post(url: url).bodyJson(of: values)
}
