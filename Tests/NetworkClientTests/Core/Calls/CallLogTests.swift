import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The records of calls that are never sent, and of calls that are sent several times.
struct CallLogTests {
    private struct Refused: Error {}

    /// Responds to some calls, or fails them, before they are sent.
    private static let gatekeeper = ClosureInterceptor { request, next in
        switch request.url?.path {
        case "/canned": (Data("1".utf8), .made(203))
        case "/refused": throw Refused()
        default: try await next(request)
        }
    }

    @Test(.spec(96, 191)) func aResponseThatAnInterceptorMadeIsLoggedOnceAsNotSent() async {
        expect(await records(of: "/canned"), ["[NetworkClient] GET http://h/canned → 203 (not sent)"])
    }

    @Test(.spec(191)) func aCallThatAnInterceptorRefusesIsLoggedOnceAsNotSent() async {
        let records = await records(of: "/refused")
        expect(records, ["[NetworkClient] GET http://h/refused failed (not sent): CallLogTests.Refused"])
    }

    @Test(arguments: [200, 404]) func aCallThatIsSentIsLoggedOnce(status: Int) async {
        expect(await records(of: "/sent", status: status), ["[NetworkClient] GET http://h/sent → \(status)"])
    }

    @Test(.spec(153)) func everyAttemptOfARetryIsLoggedWithItsNumber() async {
        let twice = ClosureInterceptor { request, next in
            _ = try? await next(request)
            return try await next(request)
        }
        let line = "[NetworkClient] GET http://h/sent → 503"
        expect(await records(of: "/sent", [twice], status: 503), [line, "\(line) (attempt 2)"])
    }

    @Test func aStatusThatAnInterceptorRejectsIsLoggedEvenIfAMapperReplacesTheError() async {
        let refusing = ClosureInterceptor { _, _ in
            throw NetworkClient.Error.apiError(response: .made(451), data: Data())
        }
        let records = await records(of: "/sent", [refusing], mapper: ResponseErrorMapper { _ in Refused() })
        expect(records, ["[NetworkClient] GET http://h/sent → 451 (not sent)"])
    }

    @Test(.spec(191)) func aFailureAfterTheResponseIsLoggedAfterIt() async {
        let rejecting = ClosureInterceptor { request, next in
            _ = try await next(request)
            throw Refused()
        }
        let records = await records(of: "/sent", [rejecting])
        let line = "[NetworkClient] GET http://h/sent"
        expect(records, ["\(line) → 200", "\(line) failed: CallLogTests.Refused"])
    }

    @Test(.spec(191)) func aResponseThatAnInterceptorPutsInPlaceOfAnotherIsLoggedAfterIt() async {
        let replacing = ClosureInterceptor { request, next in
            do { return try await next(request) } catch { return (Data("1".utf8), .made(203)) }
        }
        let line = "[NetworkClient] GET http://h/sent"
        expect(await records(of: "/sent", [replacing], status: 503), ["\(line) → 503", "\(line) → 203"])
    }

    @Test(.spec(153, 191)) func anAttemptThatFailsBeforeItIsSentIsLoggedOnceWithItsNumber() async {
        let misspelling = ClosureInterceptor { request, next in
            _ = try? await next(request)
            var request = request
            request.httpMethod = "NO TOKEN"
            return try await next(request)
        }
        let records = await records(of: "/sent", [misspelling], status: 503)
        expect(records.count, 2)
        expect(records.first, "[NetworkClient] GET http://h/sent → 503")
        expect(records.last?.hasPrefix("[NetworkClient] NO TOKEN http://h/sent failed (attempt 2): "), true)
    }

    @Test(arguments: ["users/42", "//h/x", "?a=1"])
    func aURLThatCannotBeSentIsLoggedLikeAnyOtherFailure(text: String) async {
        let records = await records(of: URLRequest(url: url(text)))
        expect(records.count, 1)
        expect(records.first?.hasPrefix("[NetworkClient] GET \(text) failed (not sent): The URL "), true)
    }

    @Test func aRequestThatMayNotBeSentIsLoggedLikeAnyOtherFailure() async {
        var request = URLRequest(url: url("http://h/a"))
        request.httpMethod = "NO TOKEN"
        let records = await records(of: request)
        expect(records.count, 1)
        expect(records.first?.contains("/a failed (not sent): The request to 'http://h/a' failed: "), true)
    }

    @Test func aCallThatIsCancelledBeforeItBeginsIsLoggedAsNotSent() async {
        let found = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await records(of: URLRequest(url: url("http://h/a")))
        }.value
        expect(found, ["[NetworkClient] GET http://h/a cancelled (not sent)"])
    }

    /// The records of one call without their durations.
    private func records(
        of path: String,
        _ interceptors: [any InterceptorProtocol] = [Self.gatekeeper],
        status: Int = 200,
        mapper: ResponseErrorMapper = .default
    ) async -> [String] {
        await records(of: URLRequest(url: url("http://h\(path)")), interceptors, status: status, mapper: mapper)
    }

    private func records(
        of request: URLRequest,
        _ interceptors: [any InterceptorProtocol] = [],
        status: Int = 200,
        mapper: ResponseErrorMapper = .default
    ) async -> [String] {
        let stream = RecordingStream()
        let client = NetworkClient(
            transport: ClosureTransport(status: status, json: "1"),
            interceptors: interceptors,
            logging: .default(logStream: stream),
            apiErrorMapper: mapper
        )
        _ = try? await client.fetch(request: request)
        return stream.messagesWithoutDuration
    }
}
