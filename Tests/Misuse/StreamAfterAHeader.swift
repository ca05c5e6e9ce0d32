// expect: body steps come before the headers
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func streamAfterAHeader(url: URL, chunks: AsyncStream<Data>) {
    _ = URLRequest.build().post(url: url).noBody().set(header: .accept(type: .json)).bodyStream(chunks)
}
