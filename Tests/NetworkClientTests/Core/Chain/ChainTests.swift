import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct ChainTests {
    /// Records the requests and responses that pass it; a closure may change the request.
    private struct Probe: InterceptorProtocol {
        let name: String
        let recorder: Recorder<String>
        var change: @Sendable (URLRequest) -> URLRequest = { $0 }

        func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
            recorder.record("\(name)> \(request.value(forHTTPHeaderField: "X-Seen") ?? "")")
            do {
                let result = try await next(change(request))
                recorder.record("\(name)< \(result.response.statusCode)")
                return result
            } catch {
                recorder.record("\(name)! \((error as? NetworkClient.Error)?.statusCode ?? -1)")
                throw error
            }
        }
    }

    private struct Domain: Error, Equatable {}

    private let request = URLRequest(url: url("https://api.example.com/items"))

    private func client(
        _ interceptors: [any InterceptorProtocol],
        status: Int = 200,
        mapper: ResponseErrorMapper = .default,
        configuration: NetworkClient.Configuration = .init()
    ) -> NetworkClient {
        NetworkClient(
            transport: ClosureTransport(status: status, json: "{}"),
            interceptors: interceptors,
            logging: .off,
            apiErrorMapper: mapper,
            configuration: configuration
        )
    }

    @Test(.spec(95)) func requestsPassTheInterceptorsInOrderAndResponsesInReverse() async throws {
        let recorder = Recorder<String>()
        let one = Probe(name: "A", recorder: recorder) { $0.setting(header: .custom(name: "X-Seen", value: "by A")) }
        try await client([one, Probe(name: "B", recorder: recorder)]).fetch(request: request)
        expect(recorder.values, ["A> ", "B> by A", "B< 200", "A< 200"])
    }

    @Test(.spec(86)) func aStatusThatIsNotAcceptedPassesTheInterceptorsAsAnErrorAndIsMappedOutside() async throws {
        let recorder = Recorder<String>()
        let mapper = ResponseErrorMapper { info in
            guard info.response.statusCode == 401 else { return info.error }
            return Domain()
        }
        let probes = [Probe(name: "A", recorder: recorder), Probe(name: "B", recorder: recorder)]
        await #expect(throws: Domain()) {
            try await client(probes, status: 401, mapper: mapper).fetch(request: request)
        }
        expect(recorder.values, ["A> ", "B> ", "B! 401", "A! 401"])
        await #expect { try await client(probes, status: 403, mapper: mapper).fetch(request: request) } throws: {
            ($0 as? NetworkClient.Error)?.statusCode == 403
        }
    }

    @Test(.spec(96)) func anInterceptorMayCallNextTwiceOrNotAtAll() async throws {
        let twice = ClosureInterceptor { request, next in
            _ = try? await next(request)
            return try await next(request)
        }
        let canned = ClosureInterceptor { _, _ in
            (Data("[7]".utf8), .made(203))
        }
        let recorder = Recorder<String>()
        try await client([twice, Probe(name: "A", recorder: recorder)]).fetch(request: request)
        expect(recorder.values, ["A> ", "A< 200", "A> ", "A< 200"])
        let response: NetworkClient.Response<[Int]> = try await client([canned], status: 500).fetch(request: request)
        expect(response.item, [7])
        expect(response.httpResponse.statusCode, 203)
    }

    @Test(.spec(96)) func theResponseOfASecondCallOfNextIsDecodedAndLogged() async throws {
        let untilItWorks = ClosureInterceptor { request, next in
            while true {
                if let result = try? await next(request) { return result }
            }
        }
        let answers = Locked([(503, "no"), (200, "[2]")])
        let transport = ClosureTransport { _ in
            let (status, body) = answers.withLock { $0.removeFirst() }
            return (Data(body.utf8), .made(status))
        }
        let (inside, outside) = (RecordingStream(), RecordingStream())
        let client = NetworkClient(
            transport: transport,
            interceptors: [.logging(level: .status, logStream: outside), untilItWorks],
            logging: .default(logLevel: .status, logStream: inside)
        )
        let response: NetworkClient.Response<[Int]> = try await client.fetch(request: request)
        expect(response.item, [2])
        let line = "[NetworkClient] GET https://api.example.com/items →"
        expectAll((inside.messages.count, outside.messages.count), (2, 1))
        for (message, status) in zip(inside.messages + outside.messages, [503, 200, 200]) {
            #expect(message.hasPrefix("\(line) \(status) in "))
        }
    }

    /// Sends a request with another client, and throws the error of that client.
    private func asking(_ ask: @escaping @Sendable () async throws -> Void) -> ClosureInterceptor {
        ClosureInterceptor { request, next in
            try await ask()
            return try await next(request)
        }
    }

    @Test(.spec(97, 188)) func theErrorOfAnotherCallIsNotMapped() async throws {
        let mapper = ResponseErrorMapper { _ in Domain() }
        let other = client([], status: 404)
        let place = URLRequest(url: url("https://auth.example.com/token"))
        let asksOther = asking { try await other.fetch(request: place) }
        await #expect { try await client([asksOther], mapper: mapper).fetch(request: request) } throws: { error in
            guard case NetworkClient.Error.apiError(let response, let data) = error else { return false }
            return response.statusCode == 404 && response.url == place.url && data == Data("{}".utf8)
        }
        let ofAnInterceptor = asking {
            throw NetworkClient.Error.apiError(response: .made(409), data: Data())
        }
        await #expect { try await client([ofAnInterceptor], mapper: mapper).fetch(request: request) } throws: {
            ($0 as? NetworkClient.Error)?.statusCode == 409
        }
    }

    @Test(.spec(86, 188)) func anErrorOfTheCallIsMappedHoweverAnInterceptorPassesItOn() async throws {
        /// Sends twice, and throws what it got the first time.
        let firstError = ClosureInterceptor { request, next in
            do {
                return try await next(request)
            } catch {
                _ = try? await next(request)
                guard case NetworkClient.Error.apiError(let response, _) = error else { throw error }
                throw NetworkClient.Error.apiError(response: response, data: Data("changed".utf8))
            }
        }
        let seen = Recorder<Data>()
        let mapper = ResponseErrorMapper { info in
            seen.record(info.data)
            return Domain()
        }
        await #expect(throws: Domain()) {
            try await client([firstError], status: 401, mapper: mapper).fetch(request: request)
        }
        expect(seen.values, [Data("changed".utf8)])
    }

    @Test(.spec(97)) func theErrorOfAnInterceptorReachesTheCallerUnchanged() async {
        func refuse(_ error: any Error) -> ClosureInterceptor {
            ClosureInterceptor { _, _ in
                throw error
            }
        }
        await #expect(throws: Domain()) { try await client([refuse(Domain())]).fetch(request: request) }
        let object = NSError(domain: "Shop", code: 7, userInfo: ["a": "b"])
        await #expect { try await client([refuse(object)]).fetch(request: request) } throws: {
            ($0 as NSError) === object
        }
        let ofOurs: [any Error] = [
            URLError(.cancelled), URLError(.timedOut), CancellationError(), TransportError(.timedOut),
            NetworkClient.Error.invalidResponse,
            DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "")),
        ]
        for error in ofOurs {
            await #expect { try await client([refuse(error)]).fetch(request: request) } throws: {
                type(of: $0) == type(of: error) && "\($0)" == "\(error)"
            }
        }
    }

    @Test(
        .spec(88),
        arguments: [(199, false), (200, true), (204, true), (299, true), (300, false), (304, false), (599, false)]
    )
    func onlyStatusesFrom200To299AreAcceptedByDefault(status: Int, isAccepted: Bool) async {
        let outcome = try? await client([], status: status).fetch(request: request)
        expect((outcome != nil), isAccepted)
    }

    @Test(.spec(88)) func aClientOrACallMayAcceptOtherStatuses() async throws {
        let lenient = client([], status: 404, configuration: .init(acceptedStatuses: [200, 404]))
        expect(try await lenient.fetch(request: request).httpResponse.statusCode, 404)
        let options = CallOptions(acceptedStatuses: .successful.and(304))
        expect(try await client([], status: 304).fetch(request: request, options: options).httpResponse.statusCode, 304)
        await #expect(throws: NetworkClient.Error.self) {
            try await lenient.fetch(request: request, options: CallOptions(acceptedStatuses: .successful))
        }
        expect(
            try await client([], status: 500, configuration: .init(acceptedStatuses: .all)).fetch(request: request)
                .httpResponse.statusCode,
            500
        )
    }

    @Test(.spec(87), arguments: [425, 520, 599, 999])
    func aStatusWithoutANameKeepsItsNumber(status: Int) async {
        await #expect { try await client([], status: status).fetch(request: request) } throws: {
            ($0 as? NetworkClient.Error)?.statusCode == status
        }
    }

    /// Records the errors that pass it.
    private struct ErrorObserver: InterceptorProtocol {
        let errors: Recorder<any Error>

        func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
            do {
                return try await next(request)
            } catch {
                errors.record(error)
                throw error
            }
        }
    }

    @Test(.spec(123), arguments: [true, false])
    func aStatusThatIsReceivedAfterTheCancellationIsNotAnErrorOfTheCall(isTask: Bool) async throws {
        let (sent, never) = (Gate(), Gate())
        let errors = Recorder<any Error>()
        let isMapped = Locked(false)
        let client = NetworkClient(
            transport: ClosureTransport { _ in
                sent.open()
                // Ends with the cancellation, which this transport does not report.
                try? await never.wait()
                return (Data("{}".utf8), .made(404))
            },
            interceptors: [ErrorObserver(errors: errors)],
            apiErrorMapper: ResponseErrorMapper { info in
                isMapped.withLock { $0 = true }
                return info.error
            }
        )
        let call = Task { try await client.fetch(request: URLRequest(url: url("http://h/"))) }
        try await withDeadline("the request") { try await sent.wait() }
        if isTask { call.cancel() } else { client.cancelAll() }
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(errors.values.count == 1 && errors.values.first is CancellationError)
        #expect(!isMapped.withLock { $0 })
    }
}
