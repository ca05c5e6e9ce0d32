#if os(Linux)
import CCurl

/// The system's libcurl, looked for once.
enum CurlLibrary {
    /// Why it cannot be used, as a part of a sentence; nil if it can.
    static let problem: String? = {
        switch ccurl_load() {
        case CCURL_LOADED: nil
        case CCURL_NOT_FOUND: "libcurl.so.4 was not found"
        case CCURL_TOO_OLD: "libcurl \(version) is older than 7.76.1"
        case CCURL_REFUSED: "libcurl \(version) could not be initialised"
        default: "the libcurl that was found lacks functions"
        }
    }()

    /// Such as `7.88.1`; empty if there is none.
    static var version: String { String(cString: ccurl_version()) }

    /// Whether the version that was found is older than this one.
    static func isOlder(than major: UInt32, _ minor: UInt32, _ patch: UInt32 = 0) -> Bool {
        ccurl_version_number() < major << 16 | minor << 8 | patch
    }

    /// Whether libcurl calls when it has a connection for a request, before anything is sent over it.
    static let tellsOfConnections = problem == nil && !isOlder(than: 7, 80)

    /// Whether a handle that has received a header must not be used for another transfer: the first line of the next
    /// head makes libcurl free memory twice if it begins with white space (fixed in 8.1.0, cd1c611b24).
    static let spoilsHandles = !isOlder(than: 7, 83) && isOlder(than: 8, 1)

    static let hasHTTP2 = problem == nil && ccurl_has_feature(CCURL_FEATURE_HTTP2) != 0
}
#endif
