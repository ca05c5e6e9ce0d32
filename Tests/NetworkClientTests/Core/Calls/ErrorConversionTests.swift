import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct ErrorConversionTests {
    private struct Other: Error {}

    @Test func errorsOfTheLayersBelowBecomeErrorsOfTheClient() {
        let decoding = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: ""))
        let kinds = [
            NetworkClient.Error.invalidResponse, TransportError(.timedOut), URLError(.notConnectedToInternet),
            BodyEncodingError.json(path: "a", reason: "is wrong"), decoding,
        ].map { (error: any Error) in
            switch NetworkClient.Error(error) {
            case .invalidResponse: "response"
            case .requestError(let error): "\(error.reason)"
            case .encodingError: "encoding"
            case .decodingError: "decoding"
            default: "none"
            }
        }
        expect(kinds, ["response", "timedOut", "offline", "encoding", "decoding"])
    }

    @Test(
        arguments: [
            (.timedOut, "timeout"), (.offline, "connection"), (.nameNotResolved, "connection"),
            (.connectionRefused, "connection"), (.proxyRefused, "connection"), (.connectionLost, "connection"),
            (.secureConnectionFailed, "security"), (.bodyTooLarge, ""), (.invalidRequest, ""),
        ] as [(TransportError.Reason, String)]
    )
    func theKindOfATransportErrorCanBeAsked(reason: TransportError.Reason, kind: String) {
        let error = TransportError(reason)
        let wrapped = NetworkClient.Error.requestError(type: error)
        expectAll((error.isTimeout, wrapped.isTimeout), (kind == "timeout", error.isTimeout))
        expect(error.isConnectionFailure, (kind == "connection"))
        expect(wrapped.isConnectionFailure, error.isConnectionFailure)
        expect(error.isSecurityFailure, (kind == "security"))
        expect(wrapped.isSecurityFailure, error.isSecurityFailure)
        expectAll((wrapped.isDecodingFailure, wrapped.status), (false, nil))
    }

    @Test func theStatusOfAnErrorAndAFailureOfDecodingCanBeAsked() {
        let refused = NetworkClient.Error.apiError(response: .made(404), data: Data())
        #expect(refused.status == .notFound && refused.status == 404 && refused.status?.kind == .clientError)
        #expect(!refused.isTimeout && !refused.isConnectionFailure && !refused.isDecodingFailure)
        let decoding = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: ""))
        expect(NetworkClient.Error(decoding)?.isDecodingFailure, true)
        expect(NetworkClient.Error(decoding)?.status, nil)
    }

    @Test(arguments: [404, 410, 503])
    func anErrorIsCaughtByItsStatus(code: Int) {
        var caught: Int?
        do {
            throw NetworkClient.Error.apiError(response: .made(code), data: Data())
        } catch HTTPStatus.notFound {
            caught = 404
        } catch HTTPStatus(rawValue: 503) {
            caught = 503
        } catch {}
        expect(caught, (code == 410 ? nil : code))
        #expect(!(HTTPStatus.notFound ~= Other()))
        #expect(!(HTTPStatus.notFound ~= NetworkClient.Error.requestError(type: TransportError(.timedOut))))
    }

    @Test(arguments: [CancellationError(), URLError(.cancelled), Other()] as [any Error])
    func cancellationsAndForeignErrorsAreNoErrorsOfTheClient(error: any Error) {
        expect(NetworkClient.Error(error), nil)
    }
}
