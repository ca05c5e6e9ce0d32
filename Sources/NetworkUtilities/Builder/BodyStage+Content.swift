public import Foundation

// Steps for bodies that are not encoded.

extension RequestBuilder where Stage == BodyStage {
    /// Sends bytes as they are.
    ///
    /// - Parameters:
    ///   - data: The bytes; nil sends no body, as ``noBody()`` does.
    ///   - type: What kind of bytes they are, unless a header step sets another `Content-Type`.
    /// - Returns: The query stage.
    public consuming func bodyData(_ data: Data?, type: MediaType = .octetStream) -> RequestBuilder<QueryStage> {
        guard let data else { return noBody() }
        return moved { $0.setBody(.data(data), type: type) }
    }

    /// Sends a text in UTF-8.
    ///
    /// - Parameters:
    ///   - text: The text, of which nothing is changed.
    ///   - type: What kind of text it is, unless a header step sets another `Content-Type`; a `charset` in it does not
    ///     change the bytes.
    /// - Returns: The query stage.
    public consuming func bodyText(_ text: String, type: MediaType = .plainText) -> RequestBuilder<QueryStage> {
        moved { $0.setBody(.data(Data(text.utf8)), type: type) }
    }

    /// Sends a local file, which is read while the request is sent, and never into memory as a whole.
    ///
    /// - Parameters:
    ///   - url: A `file:` URL of a regular file.
    ///   - type: What kind of bytes it holds; with nil what the extension of its name says, and
    ///     `application/octet-stream` for one that says nothing.
    /// - Returns: The query stage.
    /// - Throws: ``BodySourceError`` if the file is missing, no regular one or not readable now. One that changes later
    ///   is an error when the request is sent.
    public consuming func bodyFile(at url: URL, type: MediaType? = nil) throws(BodySourceError) -> RequestBuilder<
        QueryStage
    > {
        let content = try RequestContent.file(at: url)
        let type = type ?? MediaType(fileName: url.lastPathComponent) ?? .octetStream
        return moved { $0.setBody(content, type: type) }
    }

    /// Sends the bytes that an asynchronous sequence gives, as they come; once, since it can be asked for them once.
    ///
    /// A sequence that gives nothing for as long as the request's `timeoutInterval` ends the request, as one that
    /// throws does; sending it again is an error. The catalogue says more under <doc:StreamedBodies>.
    ///
    /// - Parameters:
    ///   - chunks: The bytes, as `Data` or `[UInt8]`; the next are asked for when there is room for them.
    ///   - length: How many they are, so that they go out with a `Content-Length`: fewer, or more, are an error.
    ///   - type: What kind of bytes they are, unless a header step sets another `Content-Type`.
    /// - Returns: The query stage.
    public consuming func bodyStream<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int? = nil,
        type: MediaType = .octetStream
    ) -> RequestBuilder<QueryStage> where Chunks.Element: DataProtocol {
        moved { $0.setBody(SequenceBody(chunks, length: length), type: type) }
    }

    /// Sends a body of a kind of your own.
    ///
    /// - Parameter body: The body; nil sends none, as ``noBody()`` does.
    /// - Returns: The query stage, with the body's media type unless a header step sets another.
    /// - Throws: What the body throws, and ``BodySourceError/invalidLength(_:)`` for a length below 0.
    public consuming func body<Body: RequestBody>(_ body: Body?) throws -> RequestBuilder<QueryStage> {
        guard let body else { return noBody() }
        let content = try body.content().checked()
        return moved { $0.setBody(content, type: body.mediaType) }
    }
}
