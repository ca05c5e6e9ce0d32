import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct SessionExchangeTests {
    private let request = URLRequest(url: url("http://h/a"))

    private func redirect(_ location: String?) -> HTTPURLResponse {
        .made(302, url: "http://h/a", headers: location.map { ["Location": $0] } ?? [:])
    }

    private func options(leavingOrigin: Bool = true) -> TransportOptions {
        var options = TransportOptions()
        (options.acceptedStatuses, options.redirectStatuses) = (.successful, [301, 302])
        options.followsToOtherOrigins = leavingOrigin
        return options
    }

    /// Ways in which the body of a redirect ends before its last byte.
    enum Ending: CaseIterable, Sendable {
        case limit, time, failure
    }

    @Test(.spec(186, 205), arguments: Ending.allCases)
    func theBodyOfARedirectEndsAtEachLimitAndWithItsConnection(ending: Ending) async throws {
        let response: TransportResponse = try await withCheckedThrowingContinuation { continuation in
            var state = SessionExchangeState(request: request, options: options())
            let begin = state.began(continuation)
            let head = state.received(redirect("/b"))
            let page = state.received(Data(repeating: 1, count: 60_000))
            #expect(head.beginsRedirectBody && begin.resumption == nil && page.resumption == nil)
            let end =
                switch ending {
                case .limit: state.received(Data(repeating: 1, count: 60_000))
                case .time: state.endedRedirectBody()
                case .failure: state.completed(URLError(.networkConnectionLost))
                }
            #expect(end.isEnd && state.isOver)
            if let (continuation, result) = end.resumption { continuation.resume(with: result) }
        }
        #expect(response.body.isCut && response.head.status == 302)
        #expect(response.body.data.count == (ending == .limit ? RedirectBodyLimit.bytes : 60_000))
    }

    @Test(
        .spec(205),
        arguments: [
            (nil, true, false), ("/b", true, true), ("http://other/", true, true), ("http://other/", false, false),
            ("//other/b", false, false), ("https://h/a", false, false), ("http://h:80/b?c#d", false, true),
            ("b", false, true), ("", true, false),
        ] as [(String?, Bool, Bool)]
    )
    func onlyAFollowedRedirectHasARedirectBody(location: String?, leavesOrigin: Bool, isRedirectBody: Bool) {
        var state = SessionExchangeState(request: request, options: options(leavingOrigin: leavesOrigin))
        let actions = state.received(redirect(location))
        #expect(actions.beginsRedirectBody == isRedirectBody)
        let later = state.endedRedirectBody()
        #expect(later.isEnd == isRedirectBody)
    }

    @Test func aResponseThatIsNotHTTPIsRefused() async {
        let response = URLResponse(
            url: url("file:///a"),
            mimeType: nil,
            expectedContentLength: 0,
            textEncodingName: nil
        )
        await #expect(throws: TransportError(.notHTTP, request: request)) {
            let _: TransportResponse = try await withCheckedThrowingContinuation { continuation in
                var state = SessionExchangeState(request: request, options: options())
                let begin = state.began(continuation)
                let end = state.received(response)
                #expect(begin.resumption == nil)
                if let (continuation, result) = end.resumption { continuation.resume(with: result) }
            }
        }
    }
}
