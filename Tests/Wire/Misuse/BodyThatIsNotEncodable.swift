// expect: requires that 'Draft' conform to 'Encodable'
import Foundation
import NetworkUtilities

private struct Draft {}

/// The order of the steps is right, so no message may blame it.
func bodyThatIsNotEncodable(url: URL) throws {
    _ = try URLRequest.build().post(url: url).bodyJson(of: Draft())
}
