// expect: a value that is Encodable is bodyJson(of: value) or bodyForm(of: value)
import Foundation
import NetworkUtilities

func bodyOfAnEncodableValue(url: URL) throws {
    _ = URLRequest.post(url: url).body(["name": "a"])
    _ = try URLRequest.post(url: url).body(JSONEncoder().encode(1))
}
