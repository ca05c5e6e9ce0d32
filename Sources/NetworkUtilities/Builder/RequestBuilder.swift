/// Describes a request step by step: method, body, query, headers, and then ``build()``.
///
/// The stage is part of the type, so a step that comes too early, too late or twice does not compile, and the compiler
/// names the right order. A builder is a value: every step returns a new builder, and one builder can be the start of
/// several requests.
///
/// ```swift
/// let request = URLRequest.build()
///     .get(url: url)
///     .add(query: "page", value: "1")
///     .set(header: .accept(type: .json))
///     .build()
/// ```
///
/// ``VerbStage`` chooses the method, ``BodyStage`` the body, ``QueryStage`` adds query items, ``HeaderStage`` header
/// fields.
public struct RequestBuilder<Stage>: Sendable {
    var draft: RequestDraft

    /// The encoders of the builder.
    package var options: URLRequestBuilderOptions { draft.options }

    init(_ draft: consuming RequestDraft) {
        self.draft = draft
    }

    /// Returns a builder at another stage, with the changed draft.
    ///
    /// Consumes the builder, so that a chain of steps changes one draft in place and copies nothing.
    consuming func moved<Next>(_ change: (inout RequestDraft) -> Void = { _ in }) -> RequestBuilder<Next> {
        change(&draft)
        return RequestBuilder<Next>(draft)
    }
}

/// How a builder encodes bodies.
public struct URLRequestBuilderOptions: Sendable {
    static let standard = URLRequestBuilderOptions()

    /// The encoder of JSON bodies.
    public let encoder: any JSONDataEncoder

    /// The encoder of form bodies.
    public let formEncoder: any FormDataEncoder

    /// Creates options with an encoder for each kind of body.
    public init(
        encoder: any JSONDataEncoder = DefaultJsonEncoder(),
        formEncoder: any FormDataEncoder = DefaultFormEncoder()
    ) {
        self.encoder = encoder
        self.formEncoder = formEncoder
    }
}

/// A stage at which the request is complete: ``QueryStage`` and ``HeaderStage``.
///
/// Use `RequestBuilder<some CompleteStage>` as the parameter type of a function that sends a request, so that callers
/// can write `.get(path: "items").query { … }`.
public protocol CompleteStage {}

/// A builder that can create its request, at any complete stage; `URLRequest.ResultBuilder` stands for these builders.
///
/// Use it as the parameter type of functions that finish a request which the caller has begun. Other types need not
/// conform. Pass such a builder to a client as `builder.build()`. If callers should be able to write bare verbs, such
/// as `.get(path: "items")`, use the parameter type `RequestBuilder<some CompleteStage>` instead.
public protocol ResultBuilding: Sendable {
    /// Creates the request that the steps describe.
    func build() -> URLRequest
}

extension RequestBuilder: ResultBuilding where Stage: CompleteStage {
    /// Creates the request that the steps describe.
    ///
    /// Requests from one builder are equal in URL, headers and body.
    public func build() -> URLRequest {
        draft.makeRequest()
    }
}

extension RequestBuilder: CustomStringConvertible, CustomReflectable {
    /// The method, and the URL without user, password, query and fragment, and with secrets in its path masked.
    public var description: String { "\(draft.method.rawValue) \(draft.target.url.shownPlace)" }

    /// A mirror with the method, the URL as in `description`, and the header fields, whose credentials are masked.
    public var customMirror: Mirror {
        let url = draft.target.url.shownPlace
        return Mirror(self, children: ["method": draft.method.rawValue, "url": url, "headers": draft.headers])
    }
}

// Steps that are available at every stage.
extension RequestBuilder {
    /// Sets how long the request may wait while no byte is sent or received.
    ///
    /// The timeout becomes the `timeoutInterval` of the request and takes precedence over the timeout of a
    /// `NetworkClient`. 60 seconds become the next larger `Double`, because Foundation's default is exactly 60: so
    /// `NetworkClient` can tell a chosen timeout from the default.
    ///
    /// The range is above 0 seconds and up to a year; longer timeouts become a year. Anything else, NaN included,
    /// becomes 0, with which `NetworkClient` refuses to send the request.
    public consuming func idleTimeout(_ seconds: TimeInterval) -> Self {
        let kept = seconds > 0 ? min(seconds, Self.longestTimeout) : 0
        return moved { $0.timeout = kept == URLRequest.defaultTimeout ? URLRequest.chosenDefaultTimeout : kept }
    }

    /// Sets whether a cache may supply the response (RFC 9111).
    ///
    /// For a `NetworkClient` with a `ResponseCache`. Without one, every request goes to the server, with two
    /// exceptions: `.returnCacheDataDontLoad` fails, since there is nothing to return;
    /// `.reloadIgnoringLocalAndRemoteCacheData` sends `Cache-Control: no-cache`, for the caches between client and
    /// server. `.reloadIgnoringLocalCacheData` lets these caches respond. A plain URLSession has its own rules. Without
    /// this step the policy is `.useProtocolCachePolicy`.
    public consuming func cachePolicy(_ policy: URLRequest.CachePolicy) -> Self {
        moved { $0.cachePolicy = policy }
    }

    /// A year in seconds: FoundationNetworking traps on a timeout that is infinite or NaN.
    private static var longestTimeout: TimeInterval { 365 * 86_400 }
}

extension URLRequest {
    /// The `timeoutInterval` in seconds of a request for which no timeout was chosen.
    package static var defaultTimeout: TimeInterval { 60 }

    /// The `timeoutInterval` of a request for which 60 seconds, Foundation's default, were chosen.
    package static var chosenDefaultTimeout: TimeInterval { defaultTimeout.nextUp }
}
