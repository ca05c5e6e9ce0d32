import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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
        #expect(kinds == ["response", "timedOut", "offline", "encoding", "decoding"])
    }

    @Test(arguments: [CancellationError(), URLError(.cancelled), Other()] as [any Error])
    func cancellationsAndForeignErrorsAreNoErrorsOfTheClient(error: any Error) {
        #expect(NetworkClient.Error(error) == nil)
    }
}
