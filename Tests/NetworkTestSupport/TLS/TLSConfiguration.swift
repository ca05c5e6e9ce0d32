import CTLS
package import Foundation

/// What one side of a session brings along.
package struct TLSConfiguration: Sendable {
    /// Which side it is.
    package enum Role: Sendable {
        /// Asks for the host, and checks the certificate for it if there are trust roots.
        case client(host: String)
        /// With `demandsCertificate`, no client gets through the handshake without one that the trust roots signed.
        case server(demandsCertificate: Bool)
    }

    package var role: Role
    package var identity: TLSIdentity?
    /// PEM; nil for a server that does not ask for certificates, and for a client that believes everything.
    package var trustRoots: URL?
    package var versions: ClosedRange<TLSVersion>
    /// What it speaks under TLS, by its ALPN name: a server leaves it open if the client doesn't offer just that.
    package var applicationProtocol: String

    package init(
        _ role: Role,
        identity: TLSIdentity? = nil,
        trustRoots: URL? = nil,
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        applicationProtocol: String = "http/1.1"
    ) {
        self.role = role
        self.identity = identity
        self.trustRoots = trustRoots
        self.versions = versions
        self.applicationProtocol = applicationProtocol
    }

    func makeSession(_ failure: inout ctls_failure) -> OpaquePointer? {
        var options = ctls_options()
        options.lowest_version = Int32(versions.lowerBound.rawValue)
        options.highest_version = Int32(versions.upperBound.rawValue)
        var host: String?
        switch role {
        case .client(let name): host = name
        case .server(let demandsCertificate):
            options.is_server = 1
            options.requires_certificate = demandsCertificate ? 1 : 0
        }
        let texts = [
            host, identity?.certificates.path, identity?.key.path, identity?.password, trustRoots?.path,
            applicationProtocol,
        ]
        return Self.withCStrings(texts) { pointers in
            options.host = pointers[0]
            options.certificates = pointers[1]
            options.key = pointers[2]
            options.password = pointers[3]
            options.root = pointers[4]
            options.application_protocol = pointers[5]
            return ctls_session_make(&options, &failure)
        }
    }

    private static func withCStrings<Outcome>(
        _ texts: [String?],
        _ body: ([UnsafePointer<CChar>?]) -> Outcome
    ) -> Outcome {
        let copies = texts.map { $0.map { strdup($0) } }
        defer { copies.forEach { free($0 ?? nil) } }
        return body(copies.map { $0.flatMap { UnsafePointer($0) } })
    }
}
