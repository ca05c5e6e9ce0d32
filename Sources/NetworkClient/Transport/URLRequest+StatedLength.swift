import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// What the `Content-Length` of the request says of its body stream, if it says one length.
    var statedLength: Int? {
        value(forHTTPHeaderField: "Content-Length").flatMap { StatedLength.number(in: $0.utf8) }
    }
}
