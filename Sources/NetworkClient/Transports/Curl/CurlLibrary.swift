#if os(Linux)
import CCurl

/// The system's libcurl, and what its version can do.
enum CurlLibrary {
    /// The reason why libcurl cannot be used, as a part of a sentence; nil if it can.
    static let problem: String? = {
        switch ccurl_load() {
        case CCURL_LOADED: nil
        case CCURL_NOT_FOUND: "libcurl.so.4 was not found"
        case CCURL_TOO_OLD: "libcurl \(version) is older than 7.76.1"
        case CCURL_REFUSED: "libcurl \(version) could not be initialised"
        default: "the libcurl that was found lacks functions"
        }
    }()

    /// The version, such as `7.88.1`; empty if no libcurl was found.
    static var version: String { String(cString: ccurl_version()) }

    static func isOlder(than major: UInt32, _ minor: UInt32, _ patch: UInt32 = 0) -> Bool {
        ccurl_version_number() < major << 16 | minor << 8 | patch
    }

    /// Whether libcurl reports the connection of a request before anything is sent (`CURLOPT_PREREQFUNCTION`).
    static let reportsConnections = problem == nil && !isOlder(than: 7, 80)

    /// Whether libcurl says of a transfer without a connection, too, whether it used a proxy (`CURLINFO_USED_PROXY`).
    static let reportsProxies = !isOlder(than: 8, 10)

    /// Whether a handle that has received a header field must not be used for another transfer.
    ///
    /// If the first line of the next head begins with white space, libcurl frees memory twice (fixed in 8.1.0,
    /// cd1c611b24).
    static let spoilsHandles = !isOlder(than: 7, 83) && isOlder(than: 8, 1)

    /// Whether libcurl takes bytes that arrived between two requests for the response to the second one.
    static let takesStrayBytes = reportsConnections && (isOlder(than: 8, 0) || looksRarely)

    /// Whether libcurl checks a kept connection only if it has not been used for a second: the server may have closed a
    /// connection that is not checked.
    static let looksRarely = !isOlder(than: 8, 22)

    /// Whether libcurl looks names up on at most 20 threads of an engine, unless an option sets another maximum
    /// (`CURLMOPT_RESOLVE_THREADS_MAX`).
    static let limitsLookUps = !isOlder(than: 8, 20)

    /// Whether libcurl still receives for a paused transfer, and keeps the bytes (fixed in 8.6.0).
    static let receivesWhilePaused = !isOlder(than: 8, 5) && isOlder(than: 8, 6)

    /// Whether libcurl does not drain the descriptor that wakes it after a look-up (fixed in 8.21.0, 2a2104f3cf).
    static let leavesWakeups = !isOlder(than: 8, 20) && isOlder(than: 8, 21)

    /// Whether libcurl reads what has arrived for all streams of an HTTP/2 connection, before it passes any of it on.
    static let gathersStreams = !isOlder(than: 8, 1) && isOlder(than: 8, 7)

    /// Whether libcurl has an option to leave unfinished name look-ups behind (`CURLOPT_QUICK_EXIT`).
    static let canLeaveLookUps = problem == nil && !isOlder(than: 7, 87)

    /// Whether libcurl can read a client certificate from a PKCS#12 file: it can with OpenSSL, but with GnuTLS it reads
    /// the file as PEM.
    static let readsPKCS12 = problem == nil && !hasGnuTLS

    /// Whether libcurl checks certificates with GnuTLS, which has no number for the result.
    static let hasGnuTLS = problem == nil && String(cString: ccurl_tls_library()).hasPrefix("GnuTLS/")

    /// The number of descriptors that the process may have.
    static var descriptorLimit: Int { Int(ccurl_descriptor_limit()) }

    /// Whether a stream needs its own connection with HTTP/1.1, because libcurl stops reading a whole HTTP/2
    /// connection, and spins, once the buffer of one paused stream is full (fixed in 8.1.0).
    static let streamsAlone = hasHTTP2 && isOlder(than: 8, 1)

    static let hasHTTP2 = problem == nil && ccurl_has_feature(CInt(CURL_VERSION_HTTP2)) != 0

    /// Whether there is a sound HTTP/3: with OpenSSL's own QUIC, and before 8.9 with any library, trailers were passed
    /// on as a part of the body.
    ///
    /// 8.22 is the oldest version with which it was tested.
    static let hasHTTP3 =
        problem == nil && !isOlder(than: 8, 22) && String(cString: ccurl_quic_library()).hasPrefix("ngtcp2/")
}
#endif
