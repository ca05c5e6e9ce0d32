// expect: no error
import Foundation
import NetworkUtilities

/// Compiles, which proves that the other programs fail for their calls and not for a missing module.
func rightOrder(url: URL) throws {
    _ = URLRequest.build().get(url: url).add(query: "page", value: "1").add(header: .accept(type: .json)).build()
    _ = try URLRequest.build().post(url: url).bodyJson(of: ["name": "Alice"]).add(query: "page", value: "1").build()
    _ = URLRequest.build().post(url: url).noBody().build()
    _ = URLRequest.build().post(url: url).bodyStream(AsyncStream<Data> { $0.finish() }).build()
    _ = URLRequest.build().get(url: url).headers { HeaderField.accept(type: .json) }.build()
}
