#if os(Linux)
/// The exchanges of one request: another one follows only if those before it have sent nothing.
extension CurlTransport {
    /// Makes an exchange, and another one with the system's directory of authorities if the file has none for the
    /// server.
    nonisolated(nonsending) func attempt(
        _ transfer: CurlTransfer,
        _ options: TransportOptions,
        _ limit: TimeLimit?
    ) async throws -> TransportResponse {
        guard transfer.origin.scheme == "https", transfer.canBeginAgain, let fastConfiguration,
            !originsForTrustDirectory.withLock({ $0.contains(transfer.origin) })
        else { return try await attempt(transfer, options, limit, configuration) }
        do {
            return try await attempt(transfer, options, limit, fastConfiguration)
        } catch let failure as CurlFailure where failure.security == .untrustedCertificate {
            let response = try await attempt(transfer, options, limit, configuration)
            originsForTrustDirectory.withLock { $0.insert(transfer.origin) }
            return response
        }
    }

    /// Makes an exchange, and another one without QUIC if the first did not connect.
    ///
    /// libcurl connects over QUIC and TCP, and reports only the failure of QUIC. The one of TCP may be another, such as
    /// an untrusted certificate.
    private nonisolated(nonsending) func attempt(
        _ transfer: CurlTransfer,
        _ options: TransportOptions,
        _ limit: TimeLimit?,
        _ configuration: Configuration
    ) async throws -> TransportResponse {
        guard transfer.handshake == nil else {
            return try await slots.opening(transfer, until: limit, options) {
                try await self.exchange(transfer, options, limit, configuration)
            }
        }
        guard configuration.versions == .http3, transfer.origin.scheme == "https", transfer.canBeginAgain else {
            return try await exchange(transfer, options, limit, configuration)
        }
        do {
            return try await exchange(transfer, options, limit, configuration)
        } catch let failure as CurlFailure where failure.isOfConnecting {
            var overTCP = configuration
            overTCP.versions = .negotiated
            do {
                return try await exchange(transfer, options, limit, overTCP)
            } catch let later as CurlFailure where later.isOfConnecting {
                throw later.security == nil && failure.security != nil ? failure : later
            }
        }
    }
}
#endif
