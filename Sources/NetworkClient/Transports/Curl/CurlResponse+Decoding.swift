#if os(Linux)
extension CurlResponse {
    /// Returns the body without its content coding; if the body of a redirect is invalid, the call does not fail.
    func decodedBody(_ options: TransportOptions, until end: UInt64) throws -> TransportResponse.Body {
        do {
            return try ContentDecoder.decode(
                body,
                names: head.codings,
                options,
                status: head.status,
                isRedirectBody: isRedirectBody,
                wasCut: isCut
            ) {
                try CallScope.checkCancellation()
                if MonotonicClock.now >= end { throw CurlFailure(passed: options.passedLimit) }
            }
        } catch let failure as CurlFailure where isRedirectBody && failure.reason == .malformedResponse {
            return .whole(Data(), isCut: true)
        }
    }
}

extension ContentDecoder {
    /// Decodes a whole body within its limit, and calls `check`, which may throw, between two portions.
    ///
    /// Runs in the caller's task: in an engine, it would delay other exchanges. A body that was cut when it was
    /// received is decoded as far as possible.
    static func decode(
        _ body: Data,
        names: [String],
        _ options: TransportOptions,
        status: Int? = nil,
        isRedirectBody: Bool = false,
        wasCut: Bool = false,
        check: () throws -> Void
    ) throws -> TransportResponse.Body {
        guard !names.isEmpty, !body.isEmpty else { return .whole(body, isCut: wasCut) }
        guard var decoder = ContentDecoder(names: names) else { throw CurlFailure.unknownCoding }
        decoder.feed(body)
        var decoded = Data()
        var isCut = false
        try withUnsafeTemporaryAllocation(byteCount: wholePortion, alignment: 1) { buffer in
            while true {
                try check()
                switch decoder.decode(into: buffer) {
                case .bytes(let count):
                    let part = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                    switch options.take(part, into: &decoded, ofStatus: status, isRedirectBody: isRedirectBody) {
                    case .taken: continue
                    case .full: isCut = true
                    case .tooLong: throw CurlFailure.bodyTooLarge(options)
                    }
                    return
                case .nothingYet: continue
                case .needsInput: return
                case .isBroken: throw CurlFailure.brokenContent
                }
            }
        }
        guard isCut || wasCut || decoder.isAtEnd else { throw CurlFailure.incompleteContent }
        return .whole(decoded, isCut: isCut || wasCut)
    }

    private static let wholePortion = 1 << 16
}
#endif
