// expect: a body step is not possible here: the order is method, body, query, headers, build()
// expect: Choose a method first, then give the body once, right after post, put, patch or method
import Foundation
import NetworkUtilities

func streamBeforeTheMethod(url: URL, chunks: AsyncStream<Data>) {
    _ = URLRequest.build().bodyStream(chunks)
}
