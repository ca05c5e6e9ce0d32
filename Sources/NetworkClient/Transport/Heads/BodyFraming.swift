/// The fields of a head that state where its body ends (RFC 9112 §6).
enum BodyFraming {
    /// The causes of a failure for which the end of a body is unknown.
    enum Problem {
        static let length = "the response does not state one length for its body"
        static let coding = "the body has a transfer coding that the request did not ask for"
    }

    /// Returns whether a value of `Transfer-Encoding` names a coding that no request asks for (RFC 9112 §7.4).
    static func isUnknownCoding(_ value: String) -> Bool {
        !value.lowercased().split { $0 == "," || $0.isWhitespace }.allSatisfy { $0 == "chunked" || $0 == "identity" }
    }

    /// Returns the number that a value of `Content-Length` states, even if it repeats it (RFC 9110 §8.6); nil if it
    /// states no number or different ones.
    ///
    /// With several lengths, two recipients of a body could see different ends (RFC 9112 §6.3).
    static func length(in value: some Collection<UInt8>) -> Int? {
        var first: Int?
        // The value of the current list member; nil until its first digit.
        var number: Int?
        var isOver = false
        for byte in value {
            switch byte {
            case UInt8(ascii: ","):
                guard let next = number, first == nil || first == next else { return nil }
                (first, number, isOver) = (next, nil, false)
            case 0x20, 0x09...0x0D:
                isOver = number != nil
            default:
                guard !isOver, 0x30...0x39 ~= byte else { return nil }
                let (tens, isTooLarge) = (number ?? 0).multipliedReportingOverflow(by: 10)
                let (sum, isLarger) = tens.addingReportingOverflow(Int(byte - 0x30))
                guard !isTooLarge, !isLarger else { return nil }
                number = sum
            }
        }
        return first == nil || first == number ? number : nil
    }
}

extension URLRequest {
    /// The length that the request's `Content-Length` states for its body stream; nil if there is none.
    package var statedLength: Int? {
        value(forHTTPHeaderField: "Content-Length").flatMap { BodyFraming.length(in: $0.utf8) }
    }
}

extension ResponseHead {
    /// Returns the length of the body after content decoding, if the head states it (RFC 9110 §8.6).
    func bodyLength(of request: URLRequest) -> Int? {
        guard request.httpMethod != "HEAD", status != 204, status != 304 else { return 0 }
        // What the lines have stated when they were received; a decoded body has another length.
        if let lines, !lines.hasCodingField { return lines.hasTransferCoding ? nil : lines.length }
        guard let stated = value(of: "Content-Length"), !isCoded, value(of: "Transfer-Encoding") == nil else {
            return nil
        }
        return BodyFraming.length(in: stated.utf8)
    }

    /// Whether the body has a content coding (RFC 9110 §8.4.1), or had one before it was decoded.
    ///
    /// `identity`, and `none`, which some servers send, are not codings.
    var isCoded: Bool {
        let names = value(of: "Content-Encoding")?.lowercased().split { ", \t".contains($0) } ?? []
        return isDecoded || names.contains { !["identity", "none"].contains($0) }
    }
}
