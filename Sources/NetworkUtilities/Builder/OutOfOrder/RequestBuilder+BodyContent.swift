public import Foundation

// Steps for bodies that are not encoded where they may not stand, with what to do instead; `Tests/Misuse` holds the
// proof.

extension RequestBuilder where Stage: OpeningStage {
    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func bodyData(_ data: Data?, type: MediaType = .octetStream) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func bodyText(_ text: String, type: MediaType = .plainText) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func bodyFile(at url: URL, type: MediaType? = nil) throws(BodySourceError) -> RequestBuilder<QueryStage> {
        fatalError()
    }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func bodyStream<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int? = nil,
        type: MediaType = .octetStream
    ) -> RequestBuilder<QueryStage> where Chunks.Element: DataProtocol { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func body<Body: RequestBody>(_ body: Body?) throws -> RequestBuilder<QueryStage> { fatalError() }
}

extension RequestBuilder where Stage == QueryStage {
    /// Not after the body step, nor where the method carries no body.
    @available(
        *,
        unavailable,
        message:
            "a body step is not possible here: a body is given once, right after post, put, patch or method; GET, HEAD and DELETE carry no body"
    )
    public func bodyData(_ data: Data?, type: MediaType = .octetStream) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the body step, nor where the method carries no body.
    @available(
        *,
        unavailable,
        message:
            "a body step is not possible here: a body is given once, right after post, put, patch or method; GET, HEAD and DELETE carry no body"
    )
    public func bodyText(_ text: String, type: MediaType = .plainText) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the body step, nor where the method carries no body.
    @available(
        *,
        unavailable,
        message:
            "a body step is not possible here: a body is given once, right after post, put, patch or method; GET, HEAD and DELETE carry no body"
    )
    public func bodyFile(at url: URL, type: MediaType? = nil) throws(BodySourceError) -> RequestBuilder<QueryStage> {
        fatalError()
    }

    /// Not after the body step, nor where the method carries no body.
    @available(
        *,
        unavailable,
        message:
            "a body step is not possible here: a body is given once, right after post, put, patch or method; GET, HEAD and DELETE carry no body"
    )
    public func bodyStream<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int? = nil,
        type: MediaType = .octetStream
    ) -> RequestBuilder<QueryStage> where Chunks.Element: DataProtocol { fatalError() }

    /// Not after the body step, nor where the method carries no body.
    @available(
        *,
        unavailable,
        message:
            "a body step is not possible here: a body is given once, right after post, put, patch or method; GET, HEAD and DELETE carry no body"
    )
    public func body<Body: RequestBody>(_ body: Body?) throws -> RequestBuilder<QueryStage> { fatalError() }
}

extension RequestBuilder where Stage == HeaderStage {
    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "body steps come before the headers: give the body right after post, put, patch or method"
    )
    public func bodyData(_ data: Data?, type: MediaType = .octetStream) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "body steps come before the headers: give the body right after post, put, patch or method"
    )
    public func bodyText(_ text: String, type: MediaType = .plainText) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "body steps come before the headers: give the body right after post, put, patch or method"
    )
    public func bodyFile(at url: URL, type: MediaType? = nil) throws(BodySourceError) -> RequestBuilder<QueryStage> {
        fatalError()
    }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "body steps come before the headers: give the body right after post, put, patch or method"
    )
    public func bodyStream<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int? = nil,
        type: MediaType = .octetStream
    ) -> RequestBuilder<QueryStage> where Chunks.Element: DataProtocol { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "body steps come before the headers: give the body right after post, put, patch or method"
    )
    public func body<Body: RequestBody>(_ body: Body?) throws -> RequestBuilder<QueryStage> { fatalError() }
}
