#if os(Linux)
import CCurl

/// An easy handle of libcurl, with the memory that its transfers refer to.
///
/// It is used by one thread at a time: by the task that describes a transfer, by the engine while the transfer is in
/// flight, and by the task again when it is over. Its address is stored as a number, which is `Sendable`.
final class CurlHandle: Sendable {
    private let address: UInt

    /// The memory that libcurl writes to and reads from during a transfer; it lives as long as the handle.
    private let memory: Locked<Memory>

    private struct Memory {
        let errorText: UnsafeMutablePointer<CChar>
        /// How the transfer gets its connections.
        let connecting: UnsafeMutablePointer<ccurl_connecting>
        var url = CurlURL()
        /// The request target for an HTTP proxy, and the port of the server; nil if libcurl sends the right target
        /// itself.
        var forwarded: (target: String, port: Int)?
        var lines = CurlFieldList()
        /// Where the transfer connects in place of its URL's host; an empty list and nil for that host.
        var connectTo = CurlFieldList()
        var place: String?
        /// The fields from which the lines were made; nil if the request was not a plain one.
        var plainFields: CurlTransfer.PlainFields?
        /// The options of a plain request, which the next one reuses if it has the same; nil after any other request.
        var plainOptions: PlainOptions?
        /// Whether no option was set yet.
        var isNew = true
        /// Whether another handle has taken the memory over.
        var isMoved = false

        /// Frees everything that libcurl may still refer to; call it after the handle was freed.
        mutating func free() {
            guard !isMoved else { return }
            errorText.deallocate()
            connecting.deallocate()
            url.free()
            lines.free()
            connectTo.free()
        }
    }

    /// The options in which plain requests of one transport differ.
    private struct PlainOptions: Equatable {
        let isStreamed: Bool
        /// Whether the connection is used by no other transfer at the same time.
        let isAlone: Bool
        let readsTrustDirectory: Bool
        let versions: CurlTransport.Versions
    }

    /// Creates a handle; nil if there is no memory, or no libcurl that can be used.
    init?() {
        guard CurlLibrary.problem == nil, let easy = ccurl_easy_init() else { return nil }
        address = UInt(bitPattern: easy)
        let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        let connecting = UnsafeMutablePointer<ccurl_connecting>.allocate(capacity: 1)
        connecting.initialize(
            to: ccurl_connecting(
                error: 0,
                connects: CurlExchange.connects,
                opens: CurlExchange.opens,
                closes: CurlConnections.closes,
                easy: easy
            )
        )
        memory = Locked(Memory(errorText: errorText, connecting: connecting))
    }

    /// Creates a handle that takes over the parsed URL and the header lines of another one, whose transfer has ended.
    ///
    /// For ``CurlLibrary/spoilsHandles``: making URL and lines again costs a third of a handle. Nil without memory.
    init?(replacing other: CurlHandle) {
        guard let easy = ccurl_easy_init() else { return nil }
        address = UInt(bitPattern: easy)
        // The other handle may be freed later than this one, which now owns the error buffer.
        _ = ccurl_easy_setopt_object(other.easy, CURLOPT_ERRORBUFFER, nil)
        memory = Locked(
            other.memory.withLock { memory in
                var moved = memory
                memory.isMoved = true
                moved.isNew = true
                moved.plainOptions = nil
                return moved
            }
        )
    }

    deinit {
        ccurl_easy_cleanup(easy)
        memory.withLock { $0.free() }
    }

    var easy: OpaquePointer? { OpaquePointer(bitPattern: address) }

    /// Prepares the handle for another transfer; its connections belong to the engine.
    ///
    /// The options of plain requests (GET, without a body or an ``ExactTarget``) are set once and kept: setting options
    /// takes a third of the CPU time of a request.
    func begin(
        isPlain: Bool,
        isStreamed: Bool = false,
        mayBlockOthers: Bool = false,
        _ configuration: CurlTransport.Configuration
    ) throws(CurlFailure) {
        let options = PlainOptions(
            isStreamed: isStreamed,
            isAlone: mayBlockOthers && CurlLibrary.streamsAlone,
            readsTrustDirectory: configuration.systemTrust.readsDirectory,
            versions: configuration.versions
        )
        let canStay = memory.withLock { memory in
            memory.errorText[0] = 0
            memory.connecting.pointee.error = 0
            memory.forwarded = nil
            if isPlain, memory.plainOptions == options { return true }
            memory.plainOptions = nil
            return false
        }
        guard !canStay else { return }
        memory.withLock { memory in
            if !memory.isNew { ccurl_easy_reset(easy) }
            memory.isNew = false
            memory.url.forget()
            memory.place = nil
            memory.connectTo.free()
            _ = ccurl_easy_setopt_object(easy, CURLOPT_ERRORBUFFER, memory.errorText)
            ccurl_easy_set_connecting(easy, memory.connecting)
            if isPlain, memory.plainFields != nil {
                _ = ccurl_easy_setopt_object(easy, CURLOPT_HTTPHEADER, memory.lines.list.map { UnsafeRawPointer($0) })
            } else {
                memory.plainFields = nil
            }
        }
        try set(configuration)
        if isStreamed { try set(CURLOPT_BUFFERSIZE, Self.streamBuffer) }
        if options.isAlone { try avoidBlockingOthers(configuration.security) }
        if isPlain { memory.withLock { $0.plainOptions = options } }
    }

    /// The receive buffer for streamed bodies, which may be long.
    private static let streamBuffer = 1 << 17

    /// Prevents a transfer whose body is not read for a while from blocking other transfers of its connection.
    ///
    /// The transfer gets its own connection with HTTP/1.1 if libcurl needs that (``CurlLibrary/streamsAlone``).
    ///
    /// These versions also send another request over that connection while it is in use, if a later connection to the
    /// host uses HTTP/2, and take the bytes of the one response for the other. They never share connections of
    /// different TLS settings, so this one names the highest version of TLS, which the others leave to OpenSSL.
    private func avoidBlockingOthers(_ security: TransportSecurity) throws(CurlFailure) {
        try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        try set(CURLOPT_SSLVERSION, Self.number(of: security.minimumVersion) | CURL_SSLVERSION_MAX_TLSv1_3)
    }

    /// Lets the next transfer use the TLS sessions of its engine, or removes them from the handle.
    ///
    /// Call it only with the engine's turn, and remove them before the handle leaves the engine: the store has no lock,
    /// and freeing a handle that has one changes it.
    func setSessions(_ share: OpaquePointer?) {
        _ = ccurl_easy_setopt_object(easy, CURLOPT_SHARE, share.map { UnsafeRawPointer($0) })
    }

    /// Lets libcurl read the file of authorities again, which it keeps for a day.
    func readsTrustAgain() { _ = ccurl_easy_setopt_long(easy, CURLOPT_CA_CACHE_TIMEOUT, 0) }

    /// Refuses a socket to a transfer whose name look-up has not ended, and removes its timeout, at which libcurl would
    /// wait for the look-up.
    func refuseConnection() {
        _ = ccurl_easy_setopt_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
        memory.withLock { $0.connecting.pointee.error = ECANCELED }
    }

    /// Forces a new connection; returns false if libcurl refuses.
    func setFreshConnection() -> Bool {
        memory.withLock { $0.plainOptions = nil }
        return ccurl_easy_setopt_long(easy, CURLOPT_FRESH_CONNECT, 1) == CURLE_OK
    }

    /// Closes a new connection over which the request must not be sent: nothing was sent over it.
    func forbidReuse() { _ = ccurl_easy_setopt_long(easy, CURLOPT_FORBID_REUSE, 1) }

    /// Whether the system could not create a socket because too many descriptors are open.
    var lacksDescriptors: Bool {
        let error = memory.withLock { $0.connecting.pointee.error }
        return error == EMFILE || error == ENFILE
    }

    /// libcurl's text about a failure; empty if there is none.
    var errorText: String { memory.withLock { String(cString: $0.errorText) } }

    func set(_ option: ccurl_option_long, _ value: Int) throws(CurlFailure) {
        try check(ccurl_easy_setopt_long(easy, option, value))
    }

    func set(_ option: ccurl_option_off_t, _ value: Int) throws(CurlFailure) {
        try check(ccurl_easy_setopt_off_t(easy, option, Int64(value)))
    }

    func set(_ option: ccurl_option_string, _ text: String?) throws(CurlFailure) {
        // `withCString` avoids the copy into an array that passing a String as an argument makes.
        let result = text?.withCString { ccurl_easy_setopt_string(easy, option, $0) }
        try check(result ?? ccurl_easy_setopt_string(easy, option, nil))
    }

    /// Sets the URL, unless it equals the URL of the last transfer.
    func setURL(_ text: String) throws(CurlFailure) {
        try check(memory.withLock { $0.url.set(text, of: easy) })
    }

    /// Sets where the transfer connects, as in libcurl's list; nil for the host of its URL.
    func connect(to place: String?) throws(CurlFailure) {
        guard memory.withLock({ $0.place }) != place else { return }
        var list = CurlFieldList()
        if let place { try list.append(place) }
        let result = ccurl_easy_setopt_object(easy, CURLOPT_CONNECT_TO, list.list.map { UnsafeRawPointer($0) })
        memory.withLock { memory in
            memory.connectTo.free()
            (memory.connectTo, memory.place) = (list, place)
        }
        try check(result)
    }

    /// Sets the request target if libcurl would change its bytes.
    ///
    /// Keeps the form for an HTTP proxy until there is a connection (``chooseTarget(_:)``).
    ///
    /// The server's port distinguishes a connection to the server from a connection to a proxy.
    func set(_ target: ExactTarget, port: Int) throws(CurlFailure) {
        if let origin = target.origin { try set(CURLOPT_REQUEST_TARGET, origin) }
        memory.withLock { $0.forwarded = target.absolute.map { ($0, port) } }
    }

    /// Sets the target for an HTTP proxy if the connection leads to a proxy; `port` is the port at its other end.
    func chooseTarget(_ port: CInt) {
        guard let forwarded = memory.withLock({ $0.forwarded }) else { return }
        guard number(CURLINFO_USED_PROXY) != 0 || Int(port) != forwarded.port else { return }
        try? set(CURLOPT_REQUEST_TARGET, forwarded.target)
    }

    /// Returns whether the current header lines are those of a plain request with these fields; nil is another request.
    func hasLines(of plainFields: CurlTransfer.PlainFields?) -> Bool {
        memory.withLock { $0.plainFields?.haveLines(of: plainFields) == true }
    }

    /// Takes ownership of the header lines; for a plain request also stores its fields, so that the next request with
    /// the same fields can keep the lines.
    func set(_ lines: CurlFieldList, of plainFields: CurlTransfer.PlainFields?) throws(CurlFailure) {
        let result = ccurl_easy_setopt_object(easy, CURLOPT_HTTPHEADER, lines.list.map { UnsafeRawPointer($0) })
        memory.withLock { memory in
            memory.lines.free()
            memory.lines = lines
            memory.plainFields = plainFields
        }
        try check(result)
    }

    /// Throws an error if an option was refused: without the option, the transfer would be a different one.
    private func check(_ result: ccurl_code) throws(CurlFailure) {
        guard result == CURLE_OK else { throw CurlFailure(optionRefused: result) }
    }
}
#endif
