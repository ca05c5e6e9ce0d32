import Foundation
import NetworkTestSupport
import Testing

@Suite(.enabled(if: TLSSession.isAvailable, "there is no OpenSSL here"))
struct TLSSessionTests {
    @Test func aTLSSessionMovesBytesInBothDirectionsUntilBothSidesClose() throws {
        let pair = try TLSPair(TLSFixtures.localhost)
        #expect(pair.shakeHands() == (nil, nil))
        let text = String(repeating: "0123456789", count: 20_000)
        for (one, other) in [(pair.client, pair.server), (pair.server, pair.client)] {
            try one.write(text.wireBytes)
            other.putReceived(one.takeOutgoing())
            #expect(try other.read() == (text.wireBytes, false))
            try one.write([])
            #expect(one.takeOutgoing().isEmpty)
        }
        pair.client.sendCloseNotify()
        pair.server.putReceived(pair.client.takeOutgoing())
        #expect(try pair.server.read() == ([], true))
        try pair.server.write("after".wireBytes)
        pair.server.sendCloseNotify()
        pair.client.putReceived(pair.server.takeOutgoing())
        #expect(try pair.client.read() == ("after".wireBytes, true))
    }

    @Test(arguments: [("h2", "h2", "h2"), ("http/1.1", "http/1.1", "http/1.1"), ("h2", "http/1.1", nil)])
    func aTLSSessionNegotiatesACommonProtocol(client: String, server: String, agreed: String?) throws {
        let pair = try TLSPair(
            client: TLSConfiguration(.client(host: "localhost"), applicationProtocol: client),
            server: TLSConfiguration(
                .server(demandsCertificate: false),
                identity: TLSFixtures.localhost,
                applicationProtocol: server
            )
        )
        #expect(pair.shakeHands() == (nil, nil))
        #expect(pair.client.describeHandshake().applicationProtocol == agreed)
        #expect(pair.server.describeHandshake().applicationProtocol == agreed)
    }

    @Test func aTLSSessionEncryptsItsBytes() throws {
        let pair = try TLSPair(TLSFixtures.localhost)
        #expect(pair.shakeHands() == (nil, nil))
        try pair.client.write("a secret".wireBytes)
        let bytes = pair.client.takeOutgoing()
        #expect(!bytes.isEmpty)
        #expect(!String(decoding: bytes, as: Unicode.ASCII.self).contains("secret"))
    }

    @Test func aTLSSessionAcceptsSingleBytes() throws {
        let pair = try TLSPair(TLSFixtures.localhost)
        _ = try pair.client.shakeHands()
        for byte in pair.client.takeOutgoing() {
            #expect(try !pair.server.shakeHands())
            pair.server.putReceived([byte])
        }
        #expect(pair.shakeHands() == (nil, nil))
        #expect(pair.server.describeHandshake().version == .tls13)
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: h\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\u{4}abcd", "\0\0\0\0\0\0"])
    func aTLSSessionRefusesBytesThatAreNotAHandshake(_ text: String) throws {
        let server = try TLSSession(
            TLSConfiguration(.server(demandsCertificate: false), identity: TLSFixtures.localhost)
        )
        server.putReceived(text.wireBytes)
        let error = #expect(throws: TLSFailure.self) { try server.shakeHands() }
        guard case .library? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func aTLSSessionDetectsModifiedBytes() throws {
        let pair = try TLSPair(TLSFixtures.localhost)
        #expect(pair.shakeHands() == (nil, nil))
        try pair.client.write("12345678".wireBytes)
        var bytes = pair.client.takeOutgoing()
        bytes[bytes.count - 1] ^= 1
        pair.server.putReceived(bytes)
        #expect(throws: TLSFailure.self) { try pair.server.read() }
        pair.client.putReceived(pair.server.takeOutgoing())
        // bad_record_mac
        #expect(throws: TLSFailure.alert(20)) { try pair.client.read() }
    }

    @Test func aTLSSessionThrowsForMissingFiles() throws {
        let nowhere = TLSIdentity(
            certificates: TLSFixtures.folder.appendingPathComponent("none.pem"),
            key: TLSFixtures.localhost.key
        )
        let mixed = TLSIdentity(certificates: TLSFixtures.localhost.certificates, key: TLSFixtures.expired.key)
        for identity in [nowhere, mixed] {
            #expect(throws: TLSFailure.self) {
                try TLSSession(TLSConfiguration(.server(demandsCertificate: false), identity: identity))
            }
        }
    }
}

struct TLSFailureTests {
    @Test(arguments: [
        (TLSFailure.unavailable, "There is no OpenSSL here."),
        (.disconnected, "The peer broke off the handshake."),
        (.alert(48), "The peer sent alert 48."),
        (
            .untrusted(10, reason: "certificate has expired"),
            "The peer's certificate is not trusted: certificate has expired (10)."
        ),
        (.library("no shared cipher"), "OpenSSL: no shared cipher."),
    ])
    func aTLSFailureDescribesItsReason(failure: TLSFailure, sentence: String) {
        #expect(failure.description == sentence)
    }
}
