// expect: this dictionary is not Encodable, because its values have several types, or one that is not
import Foundation
import NetworkUtilities

func jsonOfMixedValues(url: URL, values: [String: Any]) throws {
    _ = try URLRequest.post(url: url).bodyJson(of: values)
}
