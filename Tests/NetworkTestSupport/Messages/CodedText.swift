import Foundation

/// A text in each content coding, as the codings' own libraries wrote it.
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

    /// Not what the name means, and yet what some servers send.
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

    /// Asks its recipient for a window of 128 MiB.
    package static let greedyZstd = CodedText(
        "zstd",
        "KLUv/QCIFAEA4E5vdGhpbmcgaXMgbG9zdDogMDEyMzQ1Njc4OS4BAJcuYwEAAA==",
        "zstd with a window of 128 MiB"
    )

    /// One coding over the other, which nobody has to take.
    package static let gzipInBrotli = CodedText(
        "gzip, br",
        "ixiAH4sIAAAAAAACA/PLL8nIzEtXyCxWyMkvLrFSMDA0MjYxNTO3sMTG0gMAfvKzlzAAAAAD"
    )

    /// Those that are correct and have one coding.
    package static let all = [gzip, deflate, deflateWithoutHeader, brotli, zstd]
}
