/// Lets interceptors refuse a request that departs, adds the credentials to it, and has it sent once more for each
/// credential that the server refuses and that is replaced.
struct CredentialStep: HopStep {
    nonisolated(nonsending) func prepare(_ hop: inout Hop, _ chain: Chain) async throws -> TransportResponse? {
        for admit in hop.context.admissions { try admit(hop.request) }
        guard !hop.context.authenticators.isEmpty else { return nil }
        try await hop.findCredentials()
        for field in hop.fields { hop.sent.set(header: field) }
        for signature in (hop.credentials ?? []).compactMap(\.signature) { try await sign(&hop, signature) }
        return nil
    }

    /// Adds the fields of a signature to the request, within the time limit of the attempt.
    ///
    /// The signer gets a body whose bytes are not counted as progress, since it does not send them.
    private nonisolated(nonsending) func sign(
        _ hop: inout Hop,
        _ signature: HopAuthentication.Signature
    ) async throws {
        let request = CountingBodySource.uncounted(hop.sent)
        let fields: [HeaderField]
        if let limit = hop.attempt.limit {
            do {
                fields = try await limit.run { try await signature.sign(request) }
            } catch is TimeLimit.Passed {
                throw TransportError(passed: limit.passed, waitingIn: .credential, request: request)
            }
        } else {
            fields = try await signature.sign(request)
        }
        for field in fields { hop.sent.set(header: field) }
        hop.sent = try RequestValidation.check(hop.sent)
    }

    nonisolated(nonsending) func received(
        _ response: TransportResponse,
        _ hop: inout Hop,
        _ chain: Chain
    ) async throws -> TransportResponse? {
        let status = response.head.status
        guard let credentials = hop.credentials, credentials.contains(where: { $0.refuses(status) }) else {
            return response
        }
        chain.countPerformed(-1)
        let response = try await chain.beginning(of: response)
        guard try await replaceCredential(of: &hop, after: response, chain) else { return response }
        if response.body.isStreamed { response.body.channel.cancel() }
        try CallScope.checkCancellation()
        chain.withState { $0.rewind() }
        _ = chain.record.attempt(at: chain.record.time.now)
        return nil
    }

    /// Replaces the innermost credential that a response refuses; returns false if the refusal stands.
    private nonisolated(nonsending) func replaceCredential(
        of hop: inout Hop,
        after response: TransportResponse,
        _ chain: Chain
    ) async throws -> Bool {
        let (status, context) = (response.head.status, hop.context)
        let refused = hop.credentials?.lastIndex { $0.refuses(status) && !$0.isReplacement }
        guard let refused, let credential = hop.credentials?[refused] else { return false }
        chain.record.responded(status)
        let newer = try await credential.authenticator.credential(
            insteadOf: credential,
            for: hop.request,
            after: (response.body.data, chain.marked(response)),
            in: context
        )
        guard var newer else { return false }
        newer.isReplacement = true
        guard hop.request.canBeSentAgain else {
            let decision = "no second attempt with a newer credential, since the body can be read only once"
            context.record(.decision, decision)
            return false
        }
        context.record(.decision, "sends again with the newer credential")
        hop.credentials?[refused] = newer
        return true
    }
}

extension Hop {
    /// Asks for the credentials, unless that was done; the first one for a field is sent.
    nonisolated(nonsending) mutating func findCredentials() async throws {
        guard credentials == nil else { return }
        var found: [HopAuthentication.Credential] = []
        var request = request
        let authenticators = hasLeft ? [] : context.authenticators
        for authenticator in authenticators {
            guard let credential = try await authenticator.credential(for: request, in: context) else { continue }
            found.append(credential)
            guard authenticators.count > 1 else { continue }
            if let field = credential.field { request.set(header: field) }
            if let signature = credential.signature { request.setValue("", forHTTPHeaderField: signature.name) }
        }
        credentials = found
    }

    /// Adds to a form of the request what is known about its credentials without waiting: a person stands for a token.
    ///
    /// Only where nothing but a credential itself tells is it asked for.
    nonisolated(nonsending) mutating func addKnownCredentials(
        to request: inout URLRequest
    ) async throws -> (persons: [KnownPerson], refusals: Set<HTTPStatus>) {
        var expected = expectations()
        if expected == nil {
            try await findCredentials()
            expected = expectations()
        }
        for field in fields { request.set(header: field) }
        var persons: [KnownPerson] = []
        var refused: Set<HTTPStatus> = []
        for expectation in expected ?? [] {
            switch expectation {
            case .field(let field): request.set(header: field)
            case .person(let person, let field, let refusals, let version):
                persons.append((person, field, version))
                refused.formUnion(refusals)
            case .none, .unknown: break
            }
        }
        return (persons, refused)
    }

    /// The fields of the credentials that are no signatures.
    fileprivate var fields: [HeaderField] { (credentials ?? []).compactMap(\.field) }

    /// Whether nothing has to be waited for to know whose credentials it has.
    var knowsCredentials: Bool { expectations() != nil }

    /// Returns what is known about the credentials without waiting; nil if only the credentials themselves tell.
    private func expectations() -> [HopAuthentication.Expectation]? {
        if let credentials { return credentials.map(\.expectation) }
        guard !hasLeft else { return [] }
        var (expected, request): ([HopAuthentication.Expectation], URLRequest) = ([], request)
        for authenticator in context.authenticators {
            let expectation = authenticator.expectation(for: request, in: context)
            switch expectation {
            case .none: continue
            case .unknown: return nil
            case .field(let field): request.set(header: field)
            // As if it had its token already: no later authenticator adds to the same field.
            case .person(_, let name, _, _): request.setValue("", forHTTPHeaderField: name)
            }
            expected.append(expectation)
        }
        return expected
    }
}

extension URLRequest {
    /// Whether there is no body, or a body that can be read again.
    fileprivate var canBeSentAgain: Bool { httpBodyStream.map { $0 is BodyInputStream } ?? true }
}
