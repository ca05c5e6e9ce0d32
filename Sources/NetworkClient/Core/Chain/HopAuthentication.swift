/// The credentials of a call, between the chain and the interceptors that supply them.
///
/// It is not public, since it deals in tokens and persons.
enum HopAuthentication {
    /// Supplies the credential for each hop of a call, and replaces one that the server refuses.
    ///
    /// An interceptor adds it to the context of the steps inside it. The chain uses it below the redirects, where the
    /// URL and the response of each hop are known. So if only the target of a redirect refuses the credential, the
    /// request that was redirected is not sent again.
    protocol Authenticator: Sendable {
        /// Returns the credential for a request; nil for a request that is sent without one.
        nonisolated(nonsending) func credential(
            for request: URLRequest,
            in context: RequestContext
        ) async throws -> Credential?

        /// Returns what is known about the credential for a request without waiting for it.
        func expectation(for request: URLRequest, in context: RequestContext) -> Expectation

        /// Returns the credential with which a request is sent again after a response that refuses the first one; nil
        /// if the refusal stands.
        nonisolated(nonsending) func credential(
            insteadOf refused: Credential,
            for request: URLRequest,
            after response: NetworkClient.ChainResult,
            in context: RequestContext
        ) async throws -> Credential?
    }

    /// A credential on one hop.
    struct Credential: Sendable {
        /// The field that carries it; nil for a signature, whose fields depend on the request.
        let field: HeaderField?
        /// The statuses with which servers refuse it.
        var refusals: Set<HTTPStatus> = []
        /// The authenticator's own data about it.
        var token: (any Sendable)?
        /// Whose credential it is, and a number that changes with it; nil if only its value tells.
        var person: (SessionPerson, version: Int)?
        let authenticator: any Authenticator
        /// Whether it replaces a refused credential; each authenticator replaces its credential once for each hop.
        var isReplacement = false
        var signature: Signature?

        func refuses(_ status: Int) -> Bool { refusals.contains(HTTPStatus(rawValue: status)) }

        var expectation: Expectation {
            guard let (person, version) = person else { return field.map { .field($0) } ?? .unknown }
            let name = field?.name ?? signature?.name ?? "Authorization"
            return .person(person, field: name, refusals: refusals, version: version)
        }
    }

    /// Makes header fields of a request with its cookies and other credentials.
    struct Signature: Sendable {
        /// The name of the first of them.
        let name: String
        let sign: @Sendable (URLRequest) async throws -> [HeaderField]
    }

    /// The facts about the credential for a request that are known before it is fetched.
    enum Expectation: Sendable {
        /// The request gets none.
        case none
        /// The whole field.
        case field(HeaderField)
        /// Whose credential it is, with the name of its field, the statuses with which servers refuse it, and a number
        /// that changes with the token.
        case person(SessionPerson, field: String, refusals: Set<HTTPStatus>, version: Int)
        /// Only the credential itself tells.
        case unknown
    }
}

extension HopAuthentication {
    /// The credentials of a call, as the interceptor that adds one sees them.
    struct Scope {
        fileprivate let context: RequestContext

        /// The authenticators of the hops, the outermost first.
        var authenticators: [any Authenticator] { context.authenticators }

        /// Whether the client's credentials are confined to the origin of its base URL.
        var isConfined: Bool { confinement != nil }

        private var confinement: CredentialScope? { context.call?.settings.scope }

        /// Returns whether the call sends credentials that interceptors add to a URL.
        func includes(_ url: URL) -> Bool { confinement?.contains(url) ?? true }

        /// Returns whether a credential for the given origins, nil for all, may go to a URL; false also if the client
        /// would remove it again.
        func includes(_ url: URL, of origins: [Origin]?) -> Bool {
            includes(url) && origins.map { Origin.isOne(of: $0, url) } ?? true
        }

        /// Records that a request to a URL gets no credential for the given origins.
        func withholds(from url: URL, credentialOf origins: [Origin]?) {
            guard let record = context.call?.record, record.keepsSteps else { return }
            let isOne = origins.map { Origin.isOne(of: $0, url) } ?? true
            let reason: CallJourney.Withholding =
                isOne ? .confinement(confinement?.origin) : .foreignOrigin(origins ?? [])
            record.note(.decision, .withheld(url, reason))
        }

        /// Whether an interceptor has not added its credential, since it is for other origins.
        var hasWithheldCredential: Bool { context.call?.record.journey.hasWithheldCredential == true }

        /// The fields that carry a credential: `Authorization`, those of the client's interceptors, and those that its
        /// configuration calls sensitive.
        var fields: [String] {
            let added = context.call?.interceptors.flatMap(\.sensitiveHeaders) ?? []
            return ["Authorization"] + added + context.sensitiveHeaders
        }

        /// Returns the value that the call, or the series of calls that it is part of, keeps for an object; nil if
        /// there is none, and outside a call.
        func kept(for owner: AnyObject) -> (any Sendable)? {
            let key = ObjectIdentifier(owner)
            if let known = context.call?.settings.series?.kept(for: key) { return known }
            return context.call.flatMap { $0.withState { $0.kept(for: key) } }
        }

        /// Keeps a value for an object in all attempts of the call, and in its series, unless one is kept already.
        func keep(_ value: any Sendable, for owner: AnyObject) {
            let key = ObjectIdentifier(owner)
            context.call?.settings.series?.keep(value, for: key)
            context.call?.withState { _ = $0.keep(value, for: key) }
        }

        /// Runs an operation with another authenticator for its hops, inside the existing ones.
        nonisolated(nonsending) func adding<Result>(
            _ authenticator: any Authenticator,
            _ operation: nonisolated(nonsending) () async throws -> Result
        ) async throws -> Result {
            var context = context
            context.authenticators.append(authenticator)
            return try await context.run(operation)
        }
    }
}

extension RequestContext {
    /// The credentials of the call.
    var authentication: HopAuthentication.Scope { HopAuthentication.Scope(context: self) }
}
