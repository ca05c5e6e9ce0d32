/// Describes a request step by step: method, body, query, headers, and then ``build()``.
///
/// The stage is part of the type, so a step that comes too early, too late or twice does not compile, and the compiler
/// says what to write instead. A builder is a value: every step returns a new one, and one value can be the start of
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
/// - ``VerbStage`` chooses the method, ``BodyStage`` the body, ``QueryStage`` takes query items, ``HeaderStage`` header
///   fields.
public struct RequestBuilder<Stage>: Sendable {
    /// What the builder can be told besides the request itself.
    public typealias Options = URLRequestBuilderOptions

    var draft: RequestDraft

    init(_ draft: consuming RequestDraft) {
        self.draft = draft
    }

    /// The same draft at another stage.
    ///
    /// It takes the builder's own draft, so that a chain of steps changes one draft in place and copies nothing.
    consuming func moved<Next>(_ change: (inout RequestDraft) -> Void = { _ in }) -> RequestBuilder<Next> {
        change(&draft)
        return RequestBuilder<Next>(draft)
    }
}
