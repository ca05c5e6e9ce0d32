// expect: GET, HEAD and DELETE carry no body
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func getWithAMultipartForm(url: URL, form: MultipartForm) {
    _ = URLRequest.build().get(url: url).bodyMultipart(form)
}
