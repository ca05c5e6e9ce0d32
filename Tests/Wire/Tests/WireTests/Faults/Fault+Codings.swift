import NetworkClient
import NetworkTestSupport

extension Fault {
    private static func coded(_ body: [UInt8], as coding: String = "gzip") -> [any WireBytes] {
        ["HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n", body]
    }

    private static let text = String(repeating: "0123456789", count: 10_000)

    /// Content codings (RFC 9110 §8.4) that are invalid, or decode to too many bytes.
    static let ofCodings = [
        Fault("gzip", coded(Gzip.stored(text)), .answered(200, text)),
        Fault("gzip of nothing", coded(Gzip.stored("")), .answered(200)),
        Fault("nothing as gzip", coded([]), .answered(200)),
        Fault("something else as gzip", coded([97, 98, 99]), .failed(.malformedResponse)),
        Fault(
            "gzip with a wrong checksum",
            coded(Gzip.stored("123").dropLast(8) + [1, 2, 3, 4, 3, 0, 0, 0]),
            .failed(.malformedResponse)
        ),
        Fault(
            "gzip with a bad block",
            coded(Array(Gzip.stored("").prefix(10)) + [7, 7, 7, 7]),
            .failed(.malformedResponse)
        ),
        Fault(
            "gzip that breaks off",
            coded(Array(Gzip.stored("12345").dropLast(9))),
            .failed(.malformedResponse),
            except: [.takesPartsOfCompressedBodies: .outcome(.answered(200, "1234"))]
        ),
        Fault(
            "gzip whose checksum breaks off",
            coded(Array(CodedText.gzip.bytes.dropLast(5))),
            .failed(.malformedResponse),
            except: [.takesPartsOfCompressedBodies: .outcome(.answered(200, CodedText.text))]
        ),
        Fault(
            "deflate that breaks off",
            coded(Array(CodedText.deflate.bytes.dropLast(1)), as: "deflate"),
            .failed(.malformedResponse),
            except: [.takesPartsOfCompressedBodies: .outcome(.answered(200, CodedText.text))]
        ),
        Fault("deflate", coded(CodedText.deflate.bytes, as: "deflate"), .answered(200, CodedText.text)),
        Fault(
            "deflate without its header",
            coded(CodedText.deflateWithoutHeader.bytes, as: "deflate"),
            .answered(200, CodedText.text)
        ),
        Fault("gzip by its old name", coded(CodedText.gzip.bytes, as: "X-GZip"), .answered(200, CodedText.text)),
        Fault(
            "gzip in two members",
            coded(Gzip.stored("123") + Gzip.stored("456")),
            .answered(200, "123456"),
            except: [.takesOneMemberForAll: .outcome(.failed(.malformedResponse))]
        ),
        Fault("gzip with something behind it", coded(Gzip.stored("123") + [1, 2, 3]), .failed(.malformedResponse)),
        Fault("a gzip bomb", coded(Gzip.bomb(decodedLength: 64 << 20)), .failed(.bodyTooLarge), bodyLimit: 1 << 20),
        Fault("gzip of exactly the limit", coded(Gzip.stored("123")), .answered(200, "123"), bodyLimit: 3),
        Fault(
            "gzip in gzip",
            coded(Gzip.stored(Gzip.stored("123")), as: "gzip, gzip"),
            .failed(.malformedResponse),
            except: [.undoesSeveralCodings: .outcome(.answered(200, "123"))]
        ),
        Fault(
            "gzip in Brotli",
            coded(CodedText.gzipInBrotli.bytes, as: CodedText.gzipInBrotli.coding),
            .failed(.malformedResponse),
            except: [.undoesBrotli: .outcome(.answered(200, CodedText.text))]
        ),
        Fault("a coding that nobody asked for", coded([1, 2, 3], as: "rot13"), .failed(.malformedResponse)),
        Fault("no coding by its name", coded([49, 50, 51], as: "identity"), .answered(200, "123")),
        Fault("no coding by another name", coded([49, 50, 51], as: "None"), .answered(200, "123")),
        Fault(
            "a charset for a coding",
            coded([49, 50, 51], as: "UTF-8"),
            .answered(200, "123"),
            except: [.knowsFewWordsForNoCoding: .outcome(.failed(.malformedResponse))]
        ),
    ]
}
