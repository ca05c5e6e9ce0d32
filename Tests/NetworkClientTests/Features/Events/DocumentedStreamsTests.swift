import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The streams of well-known services, in the form of their documentation, cut at every event.
struct DocumentedStreamsTests {
    /// A part of a text, wherever a service puts it, and whether the service says that it is the last one.
    private struct Piece: Decodable, Sendable {
        private enum Key: String, CodingKey {
            case delta, text, choices, content, candidates, parts, finishReason, message, done, result
        }

        var text = ""
        var isLast = false

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self.text = text
                return
            }
            let members = try decoder.container(keyedBy: Key.self)
            isLast = members.contains(.finishReason) || members.contains(.result)
            if let done = try members.decodeIfPresent(Bool.self, forKey: .done) { isLast = done }
            for key in [Key.delta, .text, .content, .message] {
                text += try members.decodeIfPresent(Piece.self, forKey: key)?.text ?? ""
            }
            for key in [Key.choices, .candidates, .parts] {
                for piece in try members.decodeIfPresent([Piece].self, forKey: key) ?? [] {
                    text += piece.text
                    isLast = isLast || piece.isLast
                }
            }
        }
    }

    struct Service: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var types: Set<String>?
        var end: StreamEnd?
        var failing = StreamFailures.standard
        var isLines = false
        let blocks: [String]

        var chunks: [Data] { blocks.map { Data("\($0)\(isLines ? "\n" : "\n\n")".utf8) } }
    }

    private static func block(_ type: String, _ data: String = "") -> String {
        let rest = data.isEmpty ? "" : ",\(data)"
        return "event: \(type)\ndata: {\"type\":\"\(type)\"\(rest)}"
    }

    private static func word(_ text: String) -> String {
        block("content_block_delta", "\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"\(text)\"}")
    }

    private static func chat(_ delta: String, _ reason: String = "null") -> String {
        let choice = "{\"index\":0,\"delta\":\(delta),\"finish_reason\":\(reason)}"
        return "data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"choices\":[\(choice)]}"
    }

    private static func candidate(_ text: String, _ end: String = "") -> String {
        let content = "{\"parts\":[{\"text\":\"\(text)\"}],\"role\":\"model\"}"
        return "data: {\"candidates\":[{\"content\":\(content)\(end),\"index\":0}]}"
    }

    private static func line(_ text: String, isDone: Bool = false) -> String {
        "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"\(text)\"},\"done\":\(isDone)}"
    }

    static let anthropic = Service(
        testDescription: "Anthropic messages",
        types: ["content_block_delta"],
        end: .event("message_stop"),
        blocks: [
            block("message_start", "\"message\":{\"id\":\"m1\",\"content\":[],\"usage\":{\"input_tokens\":9}}"),
            block("content_block_start", "\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}"),
            block("ping"), word("Good"), word(" day"), block("content_block_stop", "\"index\":0"),
            block("message_delta", "\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":2}"),
            block("message_stop"),
        ]
    )

    static let services = [
        anthropic,
        Service(
            testDescription: "OpenAI chat",
            end: "[DONE]",
            failing: .member("error"),
            blocks: [
                chat("{\"role\":\"assistant\",\"content\":\"\"}"), chat("{\"content\":\"Good\"}"),
                chat("{\"content\":\" day\"}"), chat("{}", "\"stop\""), "data: [DONE]",
            ]
        ),
        Service(
            testDescription: "OpenAI responses",
            types: ["response.output_text.delta"],
            end: .event("response.completed"),
            failing: StreamFailures { ["error", "response.failed", "response.incomplete"].contains($0.type) },
            blocks: [
                block("response.created", "\"response\":{\"id\":\"r1\",\"status\":\"in_progress\"}"),
                block("response.output_text.delta", "\"item_id\":\"i1\",\"delta\":\"Good\""),
                block("response.output_text.delta", "\"item_id\":\"i1\",\"delta\":\" day\""),
                block("response.output_text.done", "\"item_id\":\"i1\",\"text\":\"Good day\""),
                block("response.completed", "\"response\":{\"id\":\"r1\",\"status\":\"completed\"}"),
            ]
        ),
        Service(
            testDescription: "Gemini",
            failing: .member("error"),
            blocks: [candidate("Good"), candidate(" day"), candidate("", ",\"finishReason\":\"STOP\"")]
        ),
        Service(
            testDescription: "Ollama",
            failing: .member("error"),
            isLines: true,
            blocks: [line("Good"), line(" day"), line("", isDone: true)]
        ),
        Service(
            testDescription: "MCP",
            failing: .member("error"),
            blocks: [
                "id: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress\":1}}",
                "id: 2\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[],\"isError\":false}}",
            ]
        ),
    ]

    /// The text and the last value of a stream that was sent by a POST, and the error after it.
    private func read(
        _ service: Service,
        _ response: StubTransport.Response
    ) async throws -> (text: String, isLast: Bool, error: (any Error)?) {
        let transport = StubTransport()
        transport.on(.any, response)
        let client = NetworkClient(transport: transport, logging: .off)
        let request = URLRequest.post(url: url("https://h/")).noBody().build()
        let values =
            service.isLines
            ? try await client.stream(request).item
                .values(of: Piece.self, until: service.end, failing: service.failing)
            : client.events(request)
                .values(of: Piece.self, in: service.types, until: service.end, failing: service.failing)
        var (text, isLast) = ("", false)
        do {
            for try await piece in values {
                text += piece.text
                isLast = piece.isLast
            }
            expect(transport.requests.count, 1)
            return (text, isLast, nil)
        } catch {
            return (text, isLast, error)
        }
    }

    @Test(.spec(253, 254), arguments: services)
    func noStreamThatIsCutLooksComplete(service: Service) async throws {
        let chunks = service.chunks
        for count in 0...chunks.count {
            let (text, isLast, error) = try await read(
                service,
                .chunks(Array(chunks.prefix(count)), type: service.isLines ? nil : .eventStream)
            )
            let isWhole = count == chunks.count
            expect(error == nil && (service.end != nil || isLast), isWhole, "\(count) of \(service)")
            if isWhole { expect(text, service.testDescription == "MCP" ? "" : "Good day") }
            guard service.end == nil || isWhole else {
                expect((error as? NetworkClient.Error)?.transportReason, .endedEarly)
                continue
            }
            #expect(error == nil)
        }
        for count in 0..<chunks.count {
            let whole = StubTransport.Response.chunks(chunks, type: service.isLines ? nil : .eventStream)
            let error = try await read(service, whole.cut(after: count)).error
            expect((error as? NetworkClient.Error)?.transportReason, .connectionLost, "\(count) of \(service)")
        }
    }

    /// The documented error of each service, after each of its events.
    @Test(
        .spec(252),
        arguments: zip(
            services,
            [
                block("error", "\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}"),
                "data: {\"error\":{\"message\":\"m\",\"type\":\"server_error\",\"param\":null,\"code\":null}}",
                block("response.failed", "\"response\":{\"id\":\"r1\",\"error\":{\"code\":\"server_error\"}}"),
                "data: {\"error\":{\"code\":503,\"message\":\"m\",\"status\":\"UNAVAILABLE\"}}",
                "{\"error\":\"an error was encountered while running the model\"}",
                "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,\"message\":\"m\"}}",
            ]
        )
    )
    func theErrorOfAServiceIsFoundWhereverItComes(service: Service, error: String) async throws {
        let bytes = Data("\(error)\(service.isLines ? "\n" : "\n\n")".utf8)
        for count in 0..<service.chunks.count {
            let chunks = service.chunks.prefix(count) + [bytes] + service.chunks.dropFirst(count)
            let found = try await read(service, .chunks(Array(chunks), type: service.isLines ? nil : .eventStream))
            let thrown = try #require(found.error as? EventStreamError, "\(count) of \(service)")
            #expect(error.hasSuffix(thrown.event.data))
        }
    }
}
