import NetworkClient
import NetworkTestSupport

extension Fault {
    private static func chunks(_ body: String) -> [any WireBytes] {
        ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"]
    }

    /// Chunks (RFC 9112 §7.1) that are invalid, or break off.
    static let ofChunks = [
        Fault("a chunk size that is none", chunks("zz\r\n"), .failed(.malformedResponse), spoilsConnection: true),
        Fault(
            "a chunk size beyond all numbers",
            chunks("FFFFFFFFFFFFFFFFFF\r\n123"),
            .failed(.malformedResponse),
            spoilsConnection: true
        ),
        Fault(
            "a negative chunk size",
            chunks("-3\r\n123\r\n0\r\n\r\n"),
            .failed(.malformedResponse),
            spoilsConnection: true
        ),
        Fault(
            "a chunk that is longer than it says",
            chunks("3\r\n12345\r\n0\r\n\r\n"),
            .failed(.malformedResponse),
            spoilsConnection: true
        ),
        Fault("closed in a chunk", chunks("5\r\n123"), then: [.close], .failed(.connectionLost)),
        Fault("closed between two chunks", chunks("3\r\n123\r\n"), then: [.close], .failed(.connectionLost)),
        Fault("closed in a chunk size", chunks("3\r\n123\r\n5"), then: [.close], .failed(.connectionLost)),
        Fault("closed before the last line", chunks("3\r\n123\r\n0\r\n"), then: [.close], .failed(.connectionLost)),
        Fault("chunk extensions", chunks("3;a=b;c=\"d\"\r\n123\r\n0;e\r\n\r\n"), .answered(200, "123")),
        Fault("no chunks", chunks("0\r\n\r\n"), .answered(200)),
        Fault(
            "many small chunks",
            chunks(String(repeating: "1\r\nx\r\n", count: 1_000) + "0\r\n\r\n"),
            .answered(200, String(repeating: "x", count: 1_000))
        ),
        Fault(
            "trailers",
            chunks("3\r\n123\r\n0\r\nX-Sum: 1\r\nSet-Cookie: a=b\r\n\r\n"),
            .answered(200, "123"),
            except: [.crashesOnTrailers: .theEnd]
        ),
        Fault(
            "a chunk size in another notation",
            chunks("0x3\r\n123\r\n0\r\n\r\n"),
            .failed(.malformedResponse),
            spoilsConnection: true,
            except: [.crashesOnTrailers: .theEnd]
        ),
        Fault(
            "a trailer that is no field",
            chunks("3\r\n123\r\n0\r\nX-Sum\r\n\r\n"),
            .failed(.malformedResponse),
            spoilsConnection: true,
            except: [.crashesOnTrailers: .theEnd]
        ),
        Fault(
            "a trailer that is a status line",
            chunks("3\r\n123\r\n0\r\nHTTP/1.1 500 Error\r\n\r\n"),
            .failed(.malformedResponse),
            spoilsConnection: true,
            except: [.crashesOnTrailers: .theEnd]
        ),
        Fault(
            "an unknown transfer coding before chunks",
            ["HTTP/1.1 200 OK\r\nTransfer-Encoding: rot13, chunked\r\n\r\n3\r\n123\r\n0\r\n\r\n"],
            .failed(.malformedResponse),
            spoilsConnection: true
        ),
        Fault(
            "an unknown transfer coding",
            ["HTTP/1.1 200 OK\r\nTransfer-Encoding: rot13\r\n\r\n123"],
            then: [.close],
            .failed(.malformedResponse),
            except: [.mayTakeUnknownTransferCodings: .either(.answered(200, "123"))]
        ),
    ]
}
