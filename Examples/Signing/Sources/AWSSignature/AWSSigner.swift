import Crypto
public import Foundation
public import NetworkClient
public import NetworkUtilities

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// AWS Signature Version 4 in a header field, with the digest of the body.
public struct AWSSigner: Sendable {
    /// Why a request can't be signed.
    public enum Failure: Error {
        /// The request has no URL with a host.
        case noHost
        /// The body is a stream that can be read only once, so it has no digest before it is sent.
        case bodyReadOnce
    }

    private let key: AWSKey
    private let region: String
    private let service: String
    private let now: @Sendable () -> Date
    private let signsDigest: Bool
    private let path: CanonicalPath

    /// Creates a signer for one service in one region.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - region: Such as `eu-central-1`.
    ///   - service: Such as `s3` or `execute-api`.
    ///   - now: The date of a signature, which the server accepts for some minutes.
    ///   - signsDigest: Whether the digest of the body is sent too, in `X-Amz-Content-Sha256`, as S3 demands.
    ///   - path: How the path is signed; nil for the rule of the service.
    public init(
        key: AWSKey,
        region: String,
        service: String,
        now: @escaping @Sendable () -> Date = { Date() },
        signsDigest: Bool = true,
        path: CanonicalPath? = nil
    ) {
        self.key = key
        self.region = region
        self.service = service
        self.now = now
        self.signsDigest = signsDigest
        let isPlain = service == "s3"
        self.path = path ?? CanonicalPath(isNormalized: !isPlain, isEncodedAgain: !isPlain)
    }

    /// The names of the fields that a signature has.
    public static let fields = ["Authorization", "X-Amz-Date", "X-Amz-Content-Sha256", "X-Amz-Security-Token"]

    /// Returns the fields that sign a request.
    ///
    /// - Throws: ``Failure``, and the errors of a body that cannot be read.
    public func sign(_ request: URLRequest) throws -> [HeaderField] {
        guard let url = request.url, let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let host = parts.encodedHost, !host.isEmpty
        else { throw Failure.noHost }
        let timestamp = AWSTimestamp(now())
        let digest = try digest(of: request)
        var added = ["X-Amz-Date": timestamp.text]
        if signsDigest { added["X-Amz-Content-Sha256"] = digest }
        added["X-Amz-Security-Token"] = key.sessionToken

        var signed = (request.allHTTPHeaderFields ?? [:]).filter { !Self.mayChange($0.key) }
        if request.value(forHTTPHeaderField: "Host") == nil {
            let usualPort = parts.scheme == "https" ? 443 : 80
            signed["Host"] = parts.port.map { $0 == usualPort ? host : "\(host):\($0)" } ?? host
        }
        signed.merge(added) { _, new in new }
        let fields = CanonicalFields(signed)
        let canonical = [
            request.httpMethod ?? "GET", path.text(of: parts.percentEncodedPath),
            CanonicalQuery.text(of: parts.percentEncodedQuery), fields.text, fields.names, digest,
        ]
        let scope = "\(timestamp.day)/\(region)/\(service)/aws4_request"
        let hash = SHA256.hash(data: Data(canonical.joined(separator: "\n").utf8)).hex
        let text = "AWS4-HMAC-SHA256\n\(timestamp.text)\n\(scope)\n\(hash)"
        let authorization = """
            AWS4-HMAC-SHA256 Credential=\(key.id)/\(scope), SignedHeaders=\(fields.names), \
            Signature=\(signature(of: text, day: timestamp.day))
            """
        let others = added.sorted { $0.key < $1.key }.map { HeaderField.custom(name: $0.key, value: $0.value) }
        return [.custom(name: "Authorization", value: authorization)] + others
    }

    /// Returns whether a field is the signature, or may be changed after it by proxies, tracing or the transport.
    private static func mayChange(_ name: String) -> Bool {
        [
            "authorization", "connection", "expect", "traceparent", "tracestate", "transfer-encoding", "user-agent",
            "x-amzn-trace-id",
        ].contains(name.lowercased())
    }

    /// The SHA-256 digest of the body, which is read in portions, as hexadecimal digits.
    private func digest(of request: URLRequest) throws -> String {
        var hash = SHA256()
        if let body = request.bodySource {
            try body.forEachPortion { hash.update(bufferPointer: $0) }
        } else if request.httpBodyStream != nil {
            throw Failure.bodyReadOnce
        }
        return hash.finalize().hex
    }

    /// Derives the key of the day, region and service, and signs with it.
    private func signature(of text: String, day: String) -> String {
        var derived = SymmetricKey(data: Data("AWS4\(key.secret)".utf8))
        for part in [day, region, service, "aws4_request"] {
            derived = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: derived))
        }
        return HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: derived).hex
    }
}

/// The key with which requests to Amazon Web Services are signed.
public struct AWSKey: Sendable {
    let id: String
    let secret: String
    let sessionToken: String?

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - id: The access key ID, which is not a secret.
    ///   - secret: The secret access key.
    ///   - sessionToken: The token of a temporary key, which is sent with each request.
    public init(id: String, secret: String, sessionToken: String? = nil) {
        self.id = id
        self.secret = secret
        self.sessionToken = sessionToken
    }
}

extension AWSKey: CustomStringConvertible, CustomReflectable {
    /// The ID, without the secrets.
    public var description: String { "AWSKey(\(id))" }

    /// A mirror with the ID only.
    public var customMirror: Mirror { Mirror(self, children: ["id": id], displayStyle: .struct) }
}

extension AuthenticationScheme {
    /// Signs each request to Amazon Web Services, anew for each attempt.
    public static func aws(_ signer: AWSSigner) -> AuthenticationScheme {
        .signing(headers: AWSSigner.fields) { request in try signer.sign(request) }
    }
}
