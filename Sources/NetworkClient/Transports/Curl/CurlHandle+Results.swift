#if os(Linux)
import CCurl

/// What libcurl says of a transfer.
extension CurlHandle {
    /// Whether the connection may carry other transfers, whose bytes arrive together with this transfer's.
    var sharesConnection: Bool { number(CURLINFO_HTTP_VERSION) >= CURL_HTTP_VERSION_2_0 }

    func number(_ info: ccurl_info_long) -> Int { ccurl_easy_getinfo_long(easy, info) }

    /// Returns a number of bytes or microseconds.
    func count(_ info: ccurl_info_off_t) -> Int { Int(ccurl_easy_getinfo_off_t(easy, info)) }

    /// Returns a text from libcurl; nil if it is unknown.
    func text(_ info: ccurl_info_string) -> String? {
        ccurl_easy_getinfo_string(easy, info).map { String(cString: $0) }
    }

    /// Returns whether the finished transfer, or a part of it, may have been sent.
    ///
    /// Versions of libcurl that report connections have this time even for requests that were never sent.
    func mayHaveSent(hasConnected: Bool) -> Bool {
        CurlLibrary.reportsConnections ? hasConnected : count(CURLINFO_PRETRANSFER_TIME_T) > 0
    }

    /// The metrics of the transfer, valid from its end to the beginning of the next one.
    var metrics: TransportMetrics {
        // Each time is counted from the beginning; it is 0 for a skipped step.
        let looked = count(CURLINFO_NAMELOOKUP_TIME_T)
        let connected = max(looked, count(CURLINFO_CONNECT_TIME_T))
        let secured = count(CURLINFO_APPCONNECT_TIME_T)
        let isReused = number(CURLINFO_NUM_CONNECTS) == 0
        var metrics = TransportMetrics(total: Self.seconds(count(CURLINFO_TOTAL_TIME_T)))
        metrics.nameLookup = isReused ? 0 : Self.seconds(looked)
        metrics.connect = isReused ? 0 : Self.seconds(connected - looked)
        metrics.secureConnection = isReused ? 0 : Self.seconds(max(0, secured - connected))
        metrics.firstByte = Self.seconds(count(CURLINFO_STARTTRANSFER_TIME_T))
        metrics.isConnectionReused = isReused
        metrics.httpVersion = Self.versions[number(CURLINFO_HTTP_VERSION)]
        metrics.bodyBytesSent = count(CURLINFO_SIZE_UPLOAD_T)
        metrics.bodyBytesReceived = count(CURLINFO_SIZE_DOWNLOAD_T)
        return metrics
    }

    private static func seconds(_ microseconds: Int) -> TimeInterval {
        TimeInterval(microseconds) / 1_000_000
    }

    private static let versions = [1: "HTTP/1.0", 2: "HTTP/1.1", 3: "HTTP/2", 30: "HTTP/3"]
}
#endif
