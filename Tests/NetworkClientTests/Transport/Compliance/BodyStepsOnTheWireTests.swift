import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The bytes that a server receives for each body step.
struct BodyStepsOnTheWireTests {
    /// A custom body.
    private struct Note: RequestBody {
        let text: String
        let mediaType: MediaType?
        func content() -> RequestContent { .data(Data(text.utf8)) }
    }

    /// A custom source that repeats one byte.
    private struct Repeated: RequestBody, BodySource {
        let byte: UInt8
        let length: Int
        /// How many there are more, or fewer, than announced.
        var surplus = 0
        var mediaType: MediaType? { MediaType("application/x-repeated") }

        func content() -> RequestContent { .source(self) }
        func open() -> any BodyReader { Reader(byte: byte, remaining: length + surplus) }

        final class Reader: BodyReader {
            private let byte: UInt8
            private var remaining: Int

            init(byte: UInt8, remaining: Int) {
                self.byte = byte
                self.remaining = remaining
            }

            func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
                let count = min(buffer.count, remaining)
                for index in 0..<count { buffer[index] = byte }
                remaining -= count
                return count
            }

            func close() {
                remaining = 0
            }
        }
    }

    private struct Item: Codable, Equatable {
        let id: Int
    }

    private func expect(
        _ request: RecordedRequest,
        _ body: Data,
        _ type: String?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(request.body == body, sourceLocation: sourceLocation)
        #expect(request.headers.values(for: "Content-Type") == [type].compactMap { $0 }, sourceLocation: sourceLocation)
        #expect(request.framing == .contentLength(body.count), sourceLocation: sourceLocation)
        #expect(request.headers.values(for: "Content-Length") == ["\(body.count)"], sourceLocation: sourceLocation)
    }

    @Test(.spec(42), arguments: TransportUnderTest.all)
    func aBodyOfDataIsSent(transport: TransportUnderTest) async throws {
        let data = Data([1, 2, 3])
        let type = "application/octet-stream"
        expect(
            try await LoopbackServer.received(by: transport) { URLRequest.post(url: $0).bodyData(data).build() },
            data,
            type
        )
        let optional: Data? = data
        expect(
            try await LoopbackServer.received(by: transport) { URLRequest.put(url: $0).bodyData(optional).build() },
            data,
            type
        )
        let empty = try await LoopbackServer.received(by: transport) {
            URLRequest.post(url: $0).bodyData(Data()).build()
        }
        expect(empty, Data(), type)
        let absent = try await LoopbackServer.received(by: transport) { URLRequest.post(url: $0).bodyData(nil).build() }
        #expect(absent.headers.values(for: "Content-Length") == ["0"])
        #expect(absent.headers.values(for: "Content-Type") == [])
    }

    @Test(.spec(43, 49), arguments: TransportUnderTest.all)
    func aBodyOfTextIsSent(transport: TransportUnderTest) async throws {
        let type = "text/plain; charset=utf-8"
        let hello = try await LoopbackServer.received(by: transport) {
            URLRequest.post(url: $0).bodyText("Hello, World!").build()
        }
        expect(hello, Data("Hello, World!".utf8), type)
        #expect(hello.framing == .contentLength(13))
        let accented = try await LoopbackServer.received(by: transport) {
            URLRequest.post(url: $0).bodyText("é").build()
        }
        expect(accented, Data([0xC3, 0xA9]), type)
        #expect(accented.framing == .contentLength(2))
    }

    @Test(.spec(49, 62), arguments: TransportUnderTest.all)
    func aBodyOfAFileIsSent(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        for (name, content, type) in [
            ("a.json", bytes, "application/json"), ("b", bytes, "application/octet-stream"),
            ("é.txt", Data(), "text/plain"),
        ] {
            let file = try directory.file(name, content)
            let request = try await LoopbackServer.received(by: transport) {
                try URLRequest.put(url: $0).bodyFile(at: file).build()
            }
            #expect(request.body == content)
            #expect(request.framing == .contentLength(content.count))
            #expect(try #require(request.value(forHeader: "Content-Type")).hasPrefix(type))
        }
    }

    @Test(.spec(44), arguments: TransportUnderTest.all)
    func aJSONObjectIsSentWithExactlyItsMembers(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            try URLRequest.post(url: $0).bodyJson(of: ["login": "L", "password": "P"]).build()
        }
        expect(request, Data(#"{"login":"L","password":"P"}"#.utf8), "application/json")
    }

    @Test(.spec(45), arguments: TransportUnderTest.all)
    func aJSONArrayIsSent(transport: TransportUnderTest) async throws {
        let items = [Item(id: 1), Item(id: 2)]
        let request = try await LoopbackServer.received(by: transport) {
            try URLRequest.post(url: $0).bodyJson(of: items).build()
        }
        #expect(try JSONDecoder().decode([Item].self, from: request.body) == items)
    }

    @Test(.spec(46), arguments: TransportUnderTest.all)
    func aBodyIsSentWithDELETE(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            try URLRequest.build().method(.delete, url: $0).bodyJson(of: Item(id: 1)).build()
        }
        #expect(request.method == "DELETE")
        expect(request, Data(#"{"id":1}"#.utf8), "application/json")
    }

    @Test(.spec(48, 49), arguments: TransportUnderTest.all)
    func aCustomBodyIsSent(transport: TransportUnderTest) async throws {
        let note = Note(text: "<note>é</note>", mediaType: MediaType("application/xml"))
        let request = try await LoopbackServer.received(by: transport) {
            try URLRequest.post(url: $0).body(note).build()
        }
        expect(request, Data("<note>é</note>".utf8), "application/xml")
    }

    @Test(.spec(48), arguments: TransportUnderTest.all, ["", "text"])
    func aCustomBodyWithoutATypeIsSentWithoutOne(transport: TransportUnderTest, text: String) async throws {
        let note = Note(text: text, mediaType: nil)
        let request = try await LoopbackServer.received(by: transport) {
            try URLRequest.post(url: $0).body(note).build()
        }
        expect(request, Data(text.utf8), nil)
    }

    @Test(.spec(29), arguments: TransportUnderTest.all)
    func aHeaderStepSetsTheTypeOfABody(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            URLRequest.patch(url: $0).bodyText("{}").set(header: .content(type: .json)).build()
        }
        expect(request, Data("{}".utf8), "application/json")
    }

    @Test(.spec(48, 49), arguments: TransportUnderTest.all, [0, 1, 300_000])
    func aCustomSourceIsSent(transport: TransportUnderTest, length: Int) async throws {
        let body = Repeated(byte: UInt8(ascii: "x"), length: length)
        let request = try await LoopbackServer.received(by: transport) {
            try URLRequest.post(url: $0).body(body).build()
        }
        expect(request, Data(repeating: UInt8(ascii: "x"), count: length), "application/x-repeated")
    }

    @Test(.spec(59), arguments: TransportUnderTest.all, [-1, -299_999, 1, 300_000])
    func aSourceWithAWrongLengthSendsNoRequest(transport: TransportUnderTest, surplus: Int) async throws {
        let length = 300_000
        let server = try LoopbackServer { _ in .respond() }
        let body = Repeated(byte: 0, length: length, surplus: surplus)
        let form = try MultipartForm {
            try MultipartPart(name: "n", body: body)
            MultipartPart(name: "m", text: String(repeating: "x", count: abs(surplus)))
        }
        let expected =
            surplus > 0
            ? BodySourceError.tooLong(expectedLength: length)
            : .endedEarly(expectedLength: length, actualLength: length + surplus)
        let stage = URLRequest.post(url: server.url)
        for request in [try stage.body(body).build(), stage.bodyMultipart(form).build()] {
            let error = await #expect(throws: NetworkClient.Error.self) {
                try await transport.client().fetch(request: request)
            }
            guard case .requestError(let failure) = error else {
                Issue.record("The request failed otherwise: \(String(describing: error)).")
                continue
            }
            #expect(failure.reason == .bodyUnreadable)
            #expect(failure.underlying as? BodySourceError == expected)
        }
        try await server.waitForOpenConnections(0)
        #expect(server.requestCount == 0, "no body may pass for a whole one")
    }
}
