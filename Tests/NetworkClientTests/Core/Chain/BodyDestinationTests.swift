import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct BodyDestinationTests {
    /// The body comes whole, and in chunks.
    @Test(.spec(283), arguments: [true, false])
    func theBodyLimitOfACallHoldsForStreamsAndFiles(isWhole: Bool) async throws {
        let transport = StubTransport()
        let text = "data: 1\n\ndata: 2\n\n"
        let whole = StubTransport.Response.text(text)
        let response = isWhole ? whole : .chunks(text.map { Data(String($0).utf8) })
        transport.on(.any, response.setting(header: .custom(name: "Content-Type", value: "text/event-stream")))
        let client = NetworkClient(transport: transport, logging: .off)
        let request = URLRequest(url: url("https://h/a"))
        let folder = try TemporaryDirectory()
        let file = folder.url.appendingPathComponent("a")
        func outcomes(_ options: CallOptions) async -> [TransportError.Reason?] {
            var results: [Result<Void, any Error>] = []
            results.append(await outcome { _ = try await client.stream(request, options: options).item.data() })
            results.append(await outcome { _ = try await client.download(request, to: file, options: options).value })
            results.append(
                await outcome {
                    for try await _ in client.events(request, options: options, reconnecting: .never) {}
                }
            )
            return results.map { result in
                if case .failure(NetworkClient.Error.requestError(let error)) = result { error.reason } else { nil }
            }
        }
        expect(await outcomes(CallOptions(bodyLimit: 10)), Array(repeating: .bodyTooLarge, count: 3))
        expect(try? Data(contentsOf: file), nil)
        expect(await outcomes(CallOptions(bodyLimit: text.utf8.count)), [nil, nil, nil])
    }

    private func outcome(_ operation: () async throws -> Void) async -> Result<Void, any Error> {
        do { return .success(try await operation()) } catch { return .failure(error) }
    }
}
