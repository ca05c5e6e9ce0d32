// expect: choose a method first
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func streamBeforeTheMethod(url: URL, chunks: AsyncStream<Data>) {
    _ = URLRequest.build().bodyStream(chunks)
}
