#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Foundation
#endif

extension ResponseHead {
    /// The length of the body that follows, after content decoding, as far as the head states it (RFC 9110 §8.6); nil
    /// if it does not.
    func bodyLength(of request: URLRequest) -> Int? {
        guard request.httpMethod != "HEAD", ![204, 304].contains(status) else { return 0 }
        guard !isCoded, value(of: "Transfer-Encoding") == nil else { return nil }
        return value(of: "Content-Length").flatMap { StatedLength.number(in: Array($0.utf8)) }
    }

    /// Whether the body has a content coding: `identity`, and `none` that some servers send, are none (RFC 9110
    /// §8.4.1).
    var isCoded: Bool {
        value(of: "Content-Encoding")?.split { ", \t".contains($0) }.contains {
            !["identity", "none"].contains($0.lowercased())
        } ?? false
    }
}
