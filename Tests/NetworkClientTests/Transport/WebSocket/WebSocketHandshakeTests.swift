import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

@Suite(.spec(311)) struct WebSocketHandshakeTests {
    /// The example of RFC 6455 §1.3.
    private static let key = Array("the sample nonce".utf8)
    private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    private static let valid = [
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": accept,
    ]

    private func subprotocol(_ fields: [String: String], offering protocols: [String] = []) throws -> String? {
        let fields = fields.sorted { $0.key < $1.key }.map { ResponseFields.Field(name: $0.key, value: $0.value) }
        return try WebSocketHandshake(protocols: protocols, key: Self.key).subprotocol(in: ResponseFields(fields))
    }

    @Test func aRequestHasTheKeyAndTheSubprotocols() throws {
        let plain = try WebSocketHandshake(key: Self.key)
        let lines = plain.fields.map { "\($0.name): \($0.value ?? "")" }
        expect(
            lines,
            [
                "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            ]
        )
        let offering = try WebSocketHandshake(protocols: ["chat.v2", "chat"], key: Self.key)
        expect(offering.fields.last?.value, "chat.v2, chat")
    }

    @Test func twoHandshakesHaveTwoKeys() throws {
        let keys = try (0..<2).map { _ in try WebSocketHandshake().fields.map(\.value) }
        #expect(keys[0] != keys[1])
    }

    @Test(arguments: [["a b"], [""], ["a", "b", "a"], ["a,b"]])
    func aSubprotocolThatIsNoTokenOrIsRepeatedIsRefused(protocols: [String]) {
        #expect {
            try WebSocketHandshake(protocols: protocols)
        } throws: { error in
            // A subprotocol may be a token of a service.
            (error as? TransportError)?.reason == .invalidRequest && !"\(error)".contains("'")
        }
    }

    @Test(
        arguments: [
            [:], ["Upgrade": "WebSocket"], ["Connection": "keep-alive, upgrade"], ["Content-Length": "0"],
        ] as [[String: String]]
    )
    func aValidResponseIsAccepted(changes: [String: String]) throws {
        expect(try subprotocol(Self.valid.merging(changes) { $1 }), nil)
    }

    @Test func theSubprotocolIsTheServersChoice() throws {
        let fields = Self.valid.merging(["Sec-WebSocket-Protocol": "chat"]) { $1 }
        expect(try subprotocol(fields, offering: ["chat.v2", "chat"]), "chat")
    }

    @Test(arguments: [
        ("Upgrade", ""), ("Upgrade", "websockets"), ("Upgrade", "h2c, websocket"), ("Connection", "close"),
        ("Sec-WebSocket-Accept", ""),
        ("Sec-WebSocket-Accept", "S3pPLMBiTxaQ9kYGzzhZRbK+xOo="), ("Sec-WebSocket-Protocol", "other"),
        ("Sec-WebSocket-Protocol", "CHAT"), ("Sec-WebSocket-Protocol", "chat, chat"),
        ("Sec-WebSocket-Extensions", "permessage-deflate"), ("Transfer-Encoding", "chunked"), ("Content-Length", "1"),
        ("Content-Length", "x"),
    ])
    func aResponseThatBreaksARuleIsRefused(name: String, value: String) {
        #expect {
            try subprotocol(Self.valid.merging([name: value]) { $1 }, offering: ["chat"])
        } throws: { error in
            (error as? TransportError)?.reason == .malformedResponse
        }
    }

    @Test(arguments: ["Upgrade", "Connection", "Sec-WebSocket-Accept"])
    func aResponseWithoutAFieldIsRefused(name: String) {
        #expect(throws: TransportError.self) { try subprotocol(Self.valid.filter { $0.key != name }) }
    }
}
