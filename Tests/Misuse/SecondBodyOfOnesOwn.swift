// expect: a body is given once
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func secondBodyOfOnesOwn(url: URL, form: MultipartForm) throws {
    _ = try URLRequest.build().post(url: url).bodyText("Hello").body(form)
}
