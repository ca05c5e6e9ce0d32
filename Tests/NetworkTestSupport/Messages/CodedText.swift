import Foundation

/// A text in each content coding, as written by the reference libraries of the codings.
package struct CodedText: Sendable, CustomStringConvertible {
    /// The text.
    package static let text = "Nothing is lost: 012345678901234567890123456789."

    /// The value of `Content-Encoding`.
    package let coding: String
    package let bytes: [UInt8]
    package let description: String

    private init(_ coding: String, _ base64: String, _ description: String? = nil) {
        self.coding = coding
        self.description = description ?? coding
        bytes = Array(Data(base64Encoded: base64) ?? Data())
    }

    package static let gzip = CodedText(
        "gzip",
        "H4sIAAAAAAACA/PLL8nIzEtXyCxWyMkvLrFSMDA0MjYxNTO3sMTG0gMAfvKzlzAAAAA="
    )

    package static let deflate = CodedText("deflate", "eNrzyy/JyMxLV8gsVsjJLy6xUjAwNDI2MTUzt7DExtIDAFomDGU=")

    /// Deflate without the zlib format, which is wrong but sent by some servers.
    package static let deflateWithoutHeader = CodedText(
        "deflate",
        "88svycjMS1fILFbIyS8usVIwMDQyNjE1M7ewxMbSAwA=",
        "deflate without header"
    )

    package static let brotli = CodedText("br", "Gy8A+I3UXvVDsCW5yTA2Bp5XggXy1oIoMslQUgFPVOrfeWo9lHlk9SwB")

    package static let zstd = CodedText(
        "zstd",
        "KLUv/SAwFQEA4E5vdGhpbmcgaXMgbG9zdDogMDEyMzQ1Njc4OS4BAJcuYw=="
    )

    /// A coding that requires a window of 128 MiB from its recipient.
    package static let greedyZstd = CodedText(
        "zstd",
        "KLUv/QCIFAEA4E5vdGhpbmcgaXMgbG9zdDogMDEyMzQ1Njc4OS4BAJcuYwEAAA==",
        "zstd with a window of 128 MiB"
    )

    /// Two codings, one over the other, which a client may refuse.
    package static let gzipInBrotli = CodedText(
        "gzip, br",
        "ixiAH4sIAAAAAAACA/PLL8nIzEtXyCxWyMkvLrFSMDA0MjYxNTO3sMTG0gMAfvKzlzAAAAAD"
    )

    /// The correct texts with one coding.
    package static let all = [gzip, deflate, deflateWithoutHeader, brotli, zstd]
}
