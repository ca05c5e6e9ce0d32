#if os(Linux)
import CCurl
import Foundation

extension CurlHandle {
    /// How the transfer went; asked when it is over, and before the next begins.
    var metrics: TransportMetrics {
        // Each time is counted from the beginning and 0 for a step that was not taken.
        let looked = count(CCURL_TIME_NAME_LOOKED_UP)
        let connected = max(looked, count(CCURL_TIME_CONNECTED))
        let secured = count(CCURL_TIME_SECURED)
        let isReused = number(CCURL_INFO_NEW_CONNECTIONS) == 0
        var metrics = TransportMetrics(total: Self.seconds(count(CCURL_TIME_TOTAL)))
        metrics.nameLookup = isReused ? 0 : Self.seconds(looked)
        metrics.connect = isReused ? 0 : Self.seconds(connected - looked)
        metrics.secureConnection = isReused ? 0 : Self.seconds(max(0, secured - connected))
        metrics.firstByte = Self.seconds(count(CCURL_TIME_FIRST_BYTE))
        metrics.isConnectionReused = isReused
        metrics.httpVersion = Self.versions[number(CCURL_INFO_HTTP_VERSION)]
        metrics.bodyBytesSent = count(CCURL_COUNT_SENT)
        metrics.bodyBytesReceived = count(CCURL_COUNT_RECEIVED)
        return metrics
    }

    private static func seconds(_ microseconds: Int) -> TimeInterval {
        TimeInterval(microseconds) / 1_000_000
    }

    private static let versions = [1: "HTTP/1.0", 2: "HTTP/1.1", 3: "HTTP/2", 30: "HTTP/3"]
}
#endif
