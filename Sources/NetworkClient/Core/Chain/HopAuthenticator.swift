/// Supplies the credential for each hop of a call, and replaces one that the server refuses.
///
/// An interceptor adds it to the context of the steps inside it. The chain uses it below the redirects, where the URL
/// and the response of each hop are known. So if only the target of a redirect refuses the credential, the request that
/// was redirected is not sent again.
protocol HopAuthenticator: Sendable {
    /// Returns the credential for a request; nil for a request that is sent without one.
    nonisolated(nonsending) func credential(
        for request: URLRequest,
        in context: RequestContext
    ) async throws -> HopCredential?

    /// Returns the credential with which a request is sent again after a response that refuses the first one; nil if
    /// the refusal stands.
    nonisolated(nonsending) func credential(
        insteadOf refused: HopCredential,
        for request: URLRequest,
        after response: NetworkClient.ChainResult,
        in context: RequestContext
    ) async throws -> HopCredential?
}

/// A credential on one hop.
struct HopCredential: Sendable {
    let field: HeaderField
    /// The statuses with which servers refuse it.
    let refusals: Set<Int>
    /// The authenticator's own data about it.
    let token: (any Sendable)?
    /// Whose credential it is; nil if only its value tells.
    let person: CachePartition.Person?
    let authenticator: any HopAuthenticator
    /// Whether it replaces a refused credential; each authenticator replaces its credential once for each hop.
    var isReplacement = false
}
