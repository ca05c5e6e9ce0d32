// expect: a body step is not possible here: the order is method, body, query, headers, build()
// expect: give the body once, right after post, put, patch or method and before the headers
import Foundation
import NetworkUtilities

func streamAfterAHeader(url: URL, chunks: AsyncStream<Data>) {
    _ = URLRequest.build().post(url: url).noBody().set(header: .accept(type: .json)).bodyStream(chunks)
}
