// expect: GET, HEAD and DELETE carry no body
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func getWithATextBody(url: URL) {
    _ = URLRequest.build().get(url: url).bodyText("Hello").build()
}
