import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

private struct BookNotFound: Error, Equatable {
    var id: Int
}

private struct ServerFailed: Error, Equatable {
    var status: Int
}

struct ResponseErrorMapperTests {
    private let request = URLRequest(url: url("https://api.example.com/books/7"))
    private let transport = StubTransport()

    /// The mapper of a client for which every error of a server is the same.
    private let ofClient = ResponseErrorMapper { ServerFailed(status: $0.response.statusCode) }

    private func error(
        status: Int,
        ofCall: ResponseErrorMapper?,
        ofClient: ResponseErrorMapper = .default
    ) async -> (any Error)? {
        transport.on(.any, .status(status))
        let client = NetworkClient(transport: transport, apiErrorMapper: ofClient)
        return await #expect(throws: (any Error).self) {
            try await client.fetch(request: request, options: CallOptions(errorMapper: ofCall))
        }
    }

    @Test(.spec(89)) func theMapperOfACallNamesTheErrorOfOneStatusAndLeavesTheOthersToTheDefault() async {
        let mapper: ResponseErrorMapper = [404: BookNotFound(id: 7)]
        expect(await error(status: 404, ofCall: mapper) as? BookNotFound, BookNotFound(id: 7))
        expect((await error(status: 410, ofCall: mapper) as? NetworkClient.Error)?.statusCode, 410)
    }

    @Test(.spec(89), arguments: [404, 410])
    func theMapperOfTheClientGetsTheErrorsThatTheMapperOfTheCallLeavesUnchanged(status: Int) async {
        let mappers = [
            ResponseErrorMapper(statuses: [404: BookNotFound(id: 7)]),
            ResponseErrorMapper { info in
                guard info.response.statusCode == 404 else { return info.error }
                return BookNotFound(id: 7)
            },
            // Unchanged as well: the same response in another value.
            ResponseErrorMapper { info in
                guard info.response.statusCode != 404 else { return BookNotFound(id: 7) }
                return NetworkClient.Error.apiError(response: info.response, data: info.data)
            },
        ]
        for mapper in mappers {
            let error = await error(status: status, ofCall: mapper, ofClient: ofClient)
            expect(error as? BookNotFound, (status == 404 ? BookNotFound(id: 7) : nil))
            expect(error as? ServerFailed, (status == 404 ? nil : ServerFailed(status: status)))
        }
    }

    @Test func aCallWithoutAMapperHasThatOfTheClient() async {
        expect(await error(status: 500, ofCall: nil, ofClient: ofClient) as? ServerFailed, ServerFailed(status: 500))
    }

    @Test func theFirstErrorOfAStatusTakesPrecedenceInALiteral() async {
        let mapper: ResponseErrorMapper = [404: BookNotFound(id: 1), 404: BookNotFound(id: 2)]
        expect(await error(status: 404, ofCall: mapper) as? BookNotFound, BookNotFound(id: 1))
    }

    @Test(.spec(126)) func cancelAllEndsTheWaitOfTheMapperOfACall() async throws {
        let (reached, never) = (Gate(), Gate())
        let mapper = ResponseErrorMapper { info in
            reached.open()
            do { try await never.wait() } catch { return error }
            return info.error
        }
        transport.on(.any, .status(404))
        let client = NetworkClient(transport: transport)
        let call = Task { try await client.fetch(request: request, options: CallOptions(errorMapper: mapper)) }
        try await reached.wait()
        client.cancelAll()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await call.value } }
    }

    @Test func onlyAnErrorMapperWithAClosureMayWait() {
        #expect(!ResponseErrorMapper.default.mayWait)
        #expect(!ResponseErrorMapper(statuses: [404: BookNotFound(id: 1)]).followed(by: .default).mayWait)
        #expect(ofClient.mayWait)
        #expect(ResponseErrorMapper.default.followed(by: ofClient).mayWait)
    }
}
