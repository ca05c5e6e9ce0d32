#if canImport(CCurl)
import CCurl
import Foundation

/// One of libcurl's easy handles, with the memory that a transfer of it needs.
///
/// It is used by one thread at a time: by the task that describes a transfer, by the engine while the transfer is under
/// way, and by the task again when it is over. Addresses are kept as numbers, which may go from one thread to another.
final class CurlHandle: Sendable {
    private let address: UInt
    private let errorAddress: UInt
    /// Header lines, which libcurl reads until the transfer is over: the handle keeps them as long as itself.
    private let fields = Locked(CurlFieldList())

    private static let errorLength = 256

    /// Nil if there is no memory.
    init?() {
        guard let easy = ccurl_easy_make() else { return nil }
        let error = UnsafeMutablePointer<CChar>.allocate(capacity: Self.errorLength)
        error.initialize(repeating: 0, count: Self.errorLength)
        address = UInt(bitPattern: easy)
        errorAddress = UInt(bitPattern: error)
    }

    deinit {
        ccurl_easy_free(easy)
        error.deallocate()
        fields.withLock { $0.free() }
    }

    var easy: OpaquePointer? { OpaquePointer(bitPattern: address) }

    /// Forgets the transfer that there was, but not the connections.
    func reset() {
        ccurl_easy_reset(easy)
        error[0] = 0
        _ = ccurl_easy_set_error_buffer(easy, error)
        set(CCURL_OPTION_NO_SIGNAL, 1)
    }

    /// What libcurl says of the failure; empty if it says nothing.
    var errorText: String { String(cString: error) }

    func set(_ option: ccurl_option, _ value: Int) {
        _ = ccurl_easy_set_number(easy, option, value)
    }

    func set(_ lines: CurlFieldList) {
        _ = ccurl_easy_set_list(easy, CCURL_OPTION_HEADERS, lines.list)
        fields.withLock { fields in
            fields.free()
            fields = lines
        }
    }

    func set(_ option: ccurl_option, offset value: Int) {
        _ = ccurl_easy_set_offset(easy, option, Int64(value))
    }

    func set(_ option: ccurl_option, _ text: String) {
        _ = ccurl_easy_set_text(easy, option, text)
    }

    func number(_ info: ccurl_info) -> Int { ccurl_easy_number(easy, info) }

    private var error: UnsafeMutablePointer<CChar> {
        // Made in the initialiser, and never null.
        UnsafeMutablePointer(bitPattern: errorAddress) ?? UnsafeMutablePointer.allocate(capacity: Self.errorLength)
    }
}
#endif
