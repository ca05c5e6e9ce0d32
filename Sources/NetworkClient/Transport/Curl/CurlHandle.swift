#if os(Linux)
import CCurl
import Foundation

/// One of libcurl's easy handles, with the memory that a transfer of it needs.
///
/// It is used by one thread at a time: by the task that describes a transfer, by the engine while the transfer is under
/// way, and by the task again when it is over. Its address is kept as a number, which may go from one to another.
final class CurlHandle: Sendable {
    private let address: UInt

    /// What libcurl writes into and reads from while a transfer is under way: the handle keeps it as long as itself.
    private let memory: Locked<Memory>

    private struct Memory {
        let errorText: UnsafeMutablePointer<CChar>
        /// The system's error if it made no socket, or else 0.
        let socketError: UnsafeMutablePointer<CInt>
        var url = CurlURL()
        /// What to ask an HTTP proxy for, and the port of the server, if libcurl would ask for something else.
        var forwarded: (target: String, port: Int)?
        var lines = CurlFieldList()
        /// What the lines were made of, if they are those of a plain request.
        var plainFields: [String: String]?
        /// Whether the options say nothing that a plain request would have to take back.
        var isPlain = false
    }

    private static let errorLength = 256

    /// Nil if there is no memory.
    init?() {
        guard let easy = ccurl_easy_make() else { return nil }
        address = UInt(bitPattern: easy)
        let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Self.errorLength)
        errorText.initialize(repeating: 0, count: Self.errorLength)
        let socketError = UnsafeMutablePointer<CInt>.allocate(capacity: 1)
        socketError.initialize(to: 0)
        memory = Locked(Memory(errorText: errorText, socketError: socketError))
    }

    deinit {
        ccurl_easy_free(easy)
        memory.withLock { memory in
            memory.errorText.deallocate()
            memory.socketError.deallocate()
            memory.url.free()
            memory.lines.free()
        }
    }

    var easy: OpaquePointer? { OpaquePointer(bitPattern: address) }

    /// Prepares for another transfer; the connections are kept by the engine.
    ///
    /// What does not differ from one plain request to the next is set once: a third of the work is setting options.
    func begin(isPlain: Bool, _ configuration: CurlTransport.Configuration) throws(CurlFailure) {
        let canStay = memory.withLock { memory in
            memory.errorText[0] = 0
            memory.socketError.pointee = 0
            memory.forwarded = nil
            defer { memory.isPlain = false }
            return isPlain && memory.isPlain
        }
        if !canStay {
            ccurl_easy_reset(easy)
            memory.withLock { memory in
                memory.url.forget()
                _ = ccurl_easy_set_error_buffer(easy, memory.errorText)
                _ = ccurl_easy_set_socket_error(easy, memory.socketError)
            }
            try set(configuration)
        }
        memory.withLock { memory in
            memory.isPlain = isPlain
            if !canStay { memory.plainFields = nil }
        }
    }

    /// Keeps a transfer whose body may not be read for a while from blocking the other transfers of its connection.
    ///
    /// Up to 8.0 libcurl stops reading a whole HTTP/2 connection once the buffer of a paused stream is full, and spins.
    /// Such a transfer gets a connection of its own there, with HTTP/1.1.
    func avoidBlockingOthers() throws(CurlFailure) {
        guard CurlLibrary.hasHTTP2, CurlLibrary.isOlder(than: 8, 1) else { return }
        try set(CCURL_OPTION_HTTP_VERSION, Int(CCURL_HTTP_VERSION_1_1))
        // Which versions before 7.81 do not mind when they look for a connection to use again.
        if CurlLibrary.isOlder(than: 7, 81) { try set(CCURL_OPTION_FRESH_CONNECTION, 1) }
    }

    /// Has a transfer whose name is being looked up get no socket afterwards, and no timeout before: libcurl would wait
    /// for the look-up when that has passed.
    func refuseConnection() {
        _ = ccurl_easy_set_number(easy, CCURL_OPTION_CONNECT_MILLISECONDS, Int(Int32.max))
        memory.withLock { $0.socketError.pointee = ECANCELED }
    }

    /// Has the transfer take none of the connections that are there; false if it cannot be had.
    func setFreshConnection() -> Bool {
        memory.withLock { $0.isPlain = false }
        return ccurl_easy_set_number(easy, CCURL_OPTION_FRESH_CONNECTION, 1) == 0
    }

    /// Whether the system made no socket since there are too many descriptors.
    var lacksDescriptors: Bool {
        let error = memory.withLock { $0.socketError.pointee }
        return error == EMFILE || error == ENFILE
    }

    /// What libcurl says of the failure; empty if it says nothing.
    var errorText: String { memory.withLock { String(cString: $0.errorText) } }

    func set(_ option: ccurl_option, _ value: Int) throws(CurlFailure) {
        try check(ccurl_easy_set_number(easy, option, value))
    }

    func set(_ option: ccurl_option, offset value: Int) throws(CurlFailure) {
        try check(ccurl_easy_set_offset(easy, option, Int64(value)))
    }

    func set(_ option: ccurl_option, _ text: String?) throws(CurlFailure) {
        // Not as an argument, which would copy it into an array first.
        try check(text?.withCString { ccurl_easy_set_text(easy, option, $0) } ?? ccurl_easy_set_text(easy, option, nil))
    }

    /// Sets the URL, unless it is that of the last transfer.
    func setURL(_ text: String) throws(CurlFailure) {
        try check(memory.withLock { $0.url.set(text, of: easy) })
    }

    /// Has the request ask for just that target of a server with that port.
    func set(_ target: ExactTarget, port: Int) throws(CurlFailure) {
        if let origin = target.origin { try set(CCURL_OPTION_REQUEST_TARGET, origin) }
        memory.withLock { $0.forwarded = target.absolute.map { ($0, port) } }
    }

    /// There is a connection to that port, so that it is known whether there is a proxy at its end.
    func chooseTarget(_ port: CInt) {
        guard let forwarded = memory.withLock({ $0.forwarded }) else { return }
        guard number(CCURL_INFO_USES_PROXY) != 0 || Int(port) != forwarded.port else { return }
        try? set(CCURL_OPTION_REQUEST_TARGET, forwarded.target)
    }

    /// Whether the transfer that is over, or a part of it, may have been sent.
    ///
    /// Versions that tell of connections state a time for requests that were never sent, too.
    func mayHaveSent(hasConnected: Bool) -> Bool {
        CurlLibrary.tellsOfConnections ? hasConnected : count(CCURL_TIME_READY_TO_SEND) > 0
    }

    /// Whether the header lines are still those of a plain request with such fields.
    ///
    /// Byte by byte: texts are equal whose accents are written in different ways.
    func hasLines(of plainFields: [String: String]) -> Bool {
        memory.withLock { memory in
            guard let known = memory.plainFields, known.count == plainFields.count else { return false }
            return plainFields.allSatisfy { name, value in
                known[name]?.utf8.elementsEqual(value.utf8) == true
            }
        }
    }

    /// Takes the header lines over, with the fields that they are made of if the request is a plain one.
    func set(_ lines: CurlFieldList, of plainFields: [String: String]?) throws(CurlFailure) {
        let result = ccurl_easy_set_list(easy, CCURL_OPTION_HEADERS, lines.list)
        memory.withLock { memory in
            memory.lines.free()
            memory.lines = lines
            memory.plainFields = plainFields
        }
        try check(result)
    }

    func number(_ info: ccurl_info) -> Int { ccurl_easy_number(easy, info) }

    /// Bytes, or microseconds.
    func count(_ what: ccurl_count) -> Int { Int(ccurl_easy_count(easy, what)) }

    /// An option that is not set would make another request of it.
    private func check(_ result: CInt) throws(CurlFailure) {
        guard result == 0 else { throw CurlFailure(optionRefused: result) }
    }
}
#endif
