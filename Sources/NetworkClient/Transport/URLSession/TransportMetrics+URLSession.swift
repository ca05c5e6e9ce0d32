#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import Foundation

extension TransportMetrics {
    /// What URLSession measured of a task: its last transaction, which brought the answer.
    ///
    /// It measures nothing on Linux.
    init(_ metrics: URLSessionTaskMetrics) {
        self.init(total: metrics.taskInterval.duration)
        guard let transaction = metrics.transactionMetrics.last else { return }
        func seconds(from start: Date?, to end: Date?) -> TimeInterval? {
            guard let start, let end else { return nil }
            return max(0, end.timeIntervalSince(start))
        }
        let secured = seconds(
            from: transaction.secureConnectionStartDate,
            to: transaction.secureConnectionEndDate
        )
        isConnectionReused = transaction.isReusedConnection
        nameLookup = seconds(from: transaction.domainLookupStartDate, to: transaction.domainLookupEndDate) ?? 0
        // URLSession's time for a connection includes TLS.
        let connected = seconds(from: transaction.connectStartDate, to: transaction.connectEndDate) ?? 0
        connect = max(0, connected - (secured ?? 0))
        secureConnection = secured ?? 0
        firstByte = seconds(from: transaction.fetchStartDate, to: transaction.responseStartDate)
        httpVersion = Self.version(of: transaction.networkProtocolName)
        bodyBytesSent = Int(clamping: transaction.countOfRequestBodyBytesSent)
        bodyBytesReceived = Int(clamping: transaction.countOfResponseBodyBytesReceived)
    }

    /// From the name that ALPN has for it (RFC 7301 §6).
    private static func version(of name: String?) -> String? {
        switch name {
        case "h2": "HTTP/2"
        case "h3": "HTTP/3"
        default: name?.uppercased()
        }
    }
}
