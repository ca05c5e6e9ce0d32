/// The transport of clients that are created without a session or a transport: one for the process, so that they share
/// connections.
enum DefaultTransport {
    #if os(Linux)
    static let shared = choose(problem: CurlLibrary.problem)

    /// Returns a transport with libcurl, or with URLSession where libcurl cannot be used; its description then contains
    /// the problem.
    static func choose(problem: String?) -> any Transport {
        do {
            if let problem { throw TransportError(.unsupported, detail: problem) }
            return try CurlTransport(isShared: true)
        } catch {
            let reason = (error as? TransportError)?.detail ?? "libcurl cannot be used"
            return URLSessionTransport(explanation: reason)
        }
    }
    #else
    static let shared: any Transport = URLSessionTransport.shared
    #endif
}
