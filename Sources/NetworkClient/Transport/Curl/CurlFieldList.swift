#if os(Linux)
import CCurl

/// Header lines as libcurl takes them.
struct CurlFieldList: Sendable {
    private var address: UInt = 0

    var list: OpaquePointer? { OpaquePointer(bitPattern: address) }

    mutating func append(_ line: String) throws(CurlFailure) {
        // Not as an argument, which would copy it into an array first.
        guard let longer = line.withCString({ ccurl_list_append(list, $0) }) else {
            free()
            throw .outOfMemory
        }
        address = UInt(bitPattern: longer)
    }

    /// Only when no transfer reads it any more.
    mutating func free() {
        ccurl_list_free(list)
        address = 0
    }
}
#endif
