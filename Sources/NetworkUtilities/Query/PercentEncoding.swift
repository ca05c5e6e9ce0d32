/// Which bytes of a text stand as they are in a URL or a form, and how the others are written (`%XX`, RFC 3986 §2.1).
///
/// Text is escaped once, here, on its way in. What already is in a URL is never decoded and encoded again.
package struct PercentEncoding: Sendable {
    /// For names and values in a query: RFC 3986 unreserved characters, `/` and `?` stay bare.
    package static let query = PercentEncoding(bare: unreserved + "/?", spaceIsPlus: false)

    /// For a form body (WHATWG URL, application/x-www-form-urlencoded serialising): `*-._` and alphanumerics stay bare,
    /// a space becomes `+`.
    package static let form = PercentEncoding(bare: alphanumerics + "*-._", spaceIsPlus: true)

    private static let alphanumerics = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    private static let unreserved = alphanumerics + "-._~"

    /// What one byte becomes: itself, another single byte (`+`), or 0 for an escape.
    private let table: [UInt8]

    private init(bare: String, spaceIsPlus: Bool) {
        var table = [UInt8](repeating: 0, count: 256)
        for byte in bare.utf8 { table[Int(byte)] = byte }
        if spaceIsPlus { table[0x20] = UInt8(ascii: "+") }
        self.table = table
    }

    /// Appends the escaped UTF-8 bytes of a text.
    package func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0), to: &bytes) }
    }

    /// The escaped text.
    package func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3)
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func append(_ source: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        table.withUnsafeBufferPointer { table in
            for byte in source {
                let written = table[Int(byte)]
                if written != 0 {
                    bytes.append(written)
                } else {
                    bytes.append(UInt8(ascii: "%"))
                    bytes.append(Self.hexadecimal(byte >> 4))
                    bytes.append(Self.hexadecimal(byte & 15))
                }
            }
        }
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? 0x30 + digit : 0x37 + digit
    }
}
