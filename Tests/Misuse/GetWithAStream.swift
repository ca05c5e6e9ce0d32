// expect: GET, HEAD and DELETE carry no body
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func getWithAStream(url: URL, chunks: AsyncStream<Data>) {
    _ = URLRequest.build().get(url: url).bodyStream(chunks).build()
}
