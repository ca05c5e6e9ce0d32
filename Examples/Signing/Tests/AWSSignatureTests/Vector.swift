import Testing

/// A request of AWS's published suite, and the signature that it must have.
///
/// The requests and signatures are those of `tests/aws-signing-test-suite/v4` of github.com/awslabs/aws-c-auth.
struct Vector: Sendable {
    let name: String
    let method: String
    /// The path and the query; the suite has some of them without percent-encoding.
    let target: String
    let fields: [(name: String, value: String)]
    let body: String
    let isNormalized: Bool
    let signsDigest: Bool
    let token: String?
    let signature: String

    init(
        _ name: String,
        _ method: String,
        _ target: String,
        fields: [(name: String, value: String)] = [],
        body: String = "",
        isNormalized: Bool = true,
        signsDigest: Bool = false,
        token: String? = nil,
        signature: String
    ) {
        self.name = name
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.isNormalized = isNormalized
        self.signsDigest = signsDigest
        self.token = token
        self.signature = signature
    }
}

extension Vector: CustomTestStringConvertible {
    var testDescription: String { name }
}
