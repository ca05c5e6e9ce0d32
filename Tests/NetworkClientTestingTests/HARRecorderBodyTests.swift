import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient
@testable import NetworkClientTesting

/// The forms in which a recorder writes bodies, and what it writes of incomplete ones.
struct HARRecorderBodyTests {
    @Test(
        arguments: [
            ("text/plain", Data("é\0".utf8), "é\0", nil, nil),
            ("text/plain; charset=UTF-8", Data("é".utf8), "é", nil, nil),
            ("text/plain; charset=iso-8859-1", Data([0x63, 0xE9]), "cé", nil, Data("cé".utf8)),
            ("text/html", Data([0x63, 0xE9]), "Y+k=", "base64", nil),
            ("application/json", Data(#"{"a":[1.50,"\u00e9"]}"#.utf8), #"{"a":[1.50,"\u00e9"]}"#, nil, nil),
            ("application/json", Data(#"{"a":1,}"#.utf8), #"{"a":1,***"#, nil, Data(#"{"a":1,***"#.utf8)),
            ("image/png", Data([0xFF]), "/w==", "base64", nil), (nil, Data(), "", nil, nil),
        ] as [(String?, Data, String, String?, Data?)]
    )
    func aBodyIsTextIfItCanBe(type: String?, body: Data, text: String, encoding: String?, replayed: Data?) async throws
    {
        let recorder = HARRecorder(
            wrapping: ClosureTransport(headers: type.map { ["Content-Type": $0] } ?? [:], data: body)
        )
        let request = URLRequest(url: url("https://h/"))
        _ = try await recorder.send(request, options: TransportOptions())
        let archive = try ValidArchive(recorder.archive)
        expect(archive["response.content.text"], [text])
        expect(archive["response.content.encoding"], [encoding])
        expect(archive["response.content.size"], ["\(body.count)"])
        let response = try await StubTransport(har: recorder.archive).send(request, options: TransportOptions())
        expect(response.body.data, replayed ?? body)
        let isSame = replayed == nil || type?.contains("charset") != true
        expect(response.head.fields["Content-Type"], isSame ? type : "text/plain; charset=utf-8")
    }

    @Test func aBodyThatWasCutAtItsLimitSaysSo() async throws {
        let stub = StubTransport(otherwise: .text("Hello, World!", status: 404))
        let recorder = HARRecorder(wrapping: stub)
        var options = TransportOptions(bodyLimit: 5)
        options.acceptedStatuses = .successful
        _ = try await recorder.send(URLRequest(url: url("https://h/")), options: options)
        let archive = try ValidArchive(recorder.archive)
        expect(archive["response.content.text"], ["Hello"])
        expect(archive["response.content.comment"], ["The body was longer than the limit of the call."])
    }

    @Test(
        arguments: [
            ("gzip", Data(Gzip.stored("Hello")), "Hello"), ("identity", Data("Hello".utf8), "Hello"),
            ("secret", Data([0xFF]), nil),
        ]
    )
    func aBodyInAnUnknownCodingIsLeftOut(coding: String, body: Data, text: String?) async throws {
        let recorder = HARRecorder(
            wrapping: ClosureTransport(headers: ["Content-Encoding": coding, "Content-Type": "a/b"], data: body)
        )
        var request = URLRequest(url: url("https://h/"))
        request.httpMethod = "POST"
        request.httpBody = body
        request.setValue(coding, forHTTPHeaderField: "Content-Encoding")
        _ = try await recorder.send(request, options: TransportOptions())
        let archive = try ValidArchive(recorder.archive)
        expect([archive["response.content.text"], archive["request.postData.text"]], [[text], [text]])
        let replaying = NetworkClient(transport: try StubTransport(har: recorder.archive))
        guard text == nil else { return expect(try await replaying.fetch(request: request).statusCode, 200) }
        let error = await #expect(throws: NetworkClient.Error.self) { try await replaying.fetch(request: request) }
        expect("\(String(describing: error))", contains: "the archive does not contain the body of its response")
    }

    @Test func aBodyWhoseLastByteWasReadIsComplete() async throws {
        let recorder = HARRecorder(wrapping: StubTransport(otherwise: .text("Hello")))
        let request = URLRequest(url: url("https://h/"))
        for try await chunk in try await NetworkClient(transport: recorder).stream(request).item {
            expect(chunk, Data("Hello".utf8))
            break
        }
        let chunks = HARRecorder(wrapping: StubTransport(otherwise: .chunks([Data("a".utf8), Data("b".utf8)])))
        expect(try await NetworkClient(transport: chunks).stream(request).item.text(), "ab")
        expect(try ValidArchive(recorder.archive)["response._error"], [nil])
        expect(try ValidArchive(chunks.archive)["response._error"], [nil])
        let client = NetworkClient(transport: try StubTransport(har: recorder.archive))
        expect(try await client.fetch(request: request, as: String.self).item, "Hello")
    }

    @Test(arguments: [0, 2, 5])
    func theBodyOfARequestIsRecordedIfAllOfItWasRead(count: Int) async throws {
        // A server may respond before it has received the whole body.
        let recorder = HARRecorder(
            wrapping: ClosureTransport { request in
                var buffer = [UInt8](repeating: 0, count: count)
                let reader = try request.bodySource?.open()
                if count > 0 { _ = try buffer.withUnsafeMutableBytes { try reader?.read(into: $0) } }
                return (Data(), .made())
            }
        )
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let file = try directory.file("a.txt", "Hello")
        let request = try URLRequest.post(url: url("https://h/")).bodyFile(at: file).build()
        _ = try await recorder.send(request, options: TransportOptions())
        let archive = try ValidArchive(recorder.archive)
        expect(archive["request.bodySize"], ["5"])
        expect(archive["request.postData.text"], [count == 5 ? "Hello" : nil])
    }

    @Test(.spec(316), arguments: [true, false])
    func messagesOfASocketAreRecordedIfAskedForAndMasked(isAskedFor: Bool) async throws {
        let stub = StubTransport()
        stub.on(
            .any,
            .webSocket { peer in
                while let message = await peer.next() { await peer.send(message) }
            }
        )
        let recorder = HARRecorder(wrapping: stub, recordsMessages: isAskedFor)
        let socket = try await NetworkClient(transport: recorder).webSocket(.get(url: url("wss://h/a?token=abc")))
        let begin = Date()
        let sent: [WebSocketMessage] = [
            .text(#"{"password": "abc", "n": 1}"#), .text("a=b"), .binary(Data([1, 255])),
        ]
        for message in sent {
            try await socket.send(message)
            _ = try await socket.receive()
        }
        try await socket.close()
        let archive = try ValidArchive(recorder.archive)
        expect(archive["response.status"], ["101"])
        expect(archive["_resourceType"], [isAskedFor ? "websocket" : nil])
        let messages = (0..<6).map { index in
            ["type", "opcode", "data"].map { archive["_webSocketMessages.\(index).\($0)"][0] ?? "none" }
        }
        let mask = LogRedaction.maskText
        let contents = [["1", #"{"password": "\#(mask)", "n": 1}"#], ["1", "a=b"], ["2", "Af8="]]
        let recorded = contents.flatMap { content in ["send", "receive"].map { [$0] + content } }
        expect(messages, isAskedFor ? recorded : Array(repeating: ["none", "none", "none"], count: 6))
        guard isAskedFor else { return }
        let times = try (0..<6).map { try #require(Double(archive["_webSocketMessages.\($0).time"][0] ?? "")) }
        #expect(times == times.sorted() && abs(times[0] - begin.timeIntervalSince1970) < 60)
        #expect(!String(decoding: try recorder.archive, as: UTF8.self).contains("abc"))
        // A replay leaves the entry out.
        let replaying = NetworkClient(transport: try StubTransport(har: recorder.archive))
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await replaying.webSocket(.get(url: url("wss://h/a?token=abc")))
        }
        expect(error?.transportError?.reason, .notStubbed)
    }
}
