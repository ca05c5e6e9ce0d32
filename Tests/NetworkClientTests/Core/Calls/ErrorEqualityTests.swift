import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct ErrorEqualityTests {
    private enum Key: CodingKey {
        case id, name
    }

    private static func mismatch(_ key: Key, _ type: Any.Type, body: String = "{}") -> NetworkClient.Error {
        let context = DecodingError.Context(codingPath: [key], debugDescription: "any", underlyingError: nil)
        let error = DecodingError.typeMismatch(type, context)
        return .decodingError(type: UndecodableResponse.adding(.made(), Data(body.utf8), to: error))
    }

    /// Makes each error anew, so that no comparison is one of identity.
    private static func errors() -> [NetworkClient.Error] {
        let request = URLRequest(url: url("https://h/a"))
        let context = DecodingError.Context(codingPath: [], debugDescription: "", underlyingError: CancellationError())
        return [
            .apiError(response: .made(404), data: Data()),
            .apiError(response: .made(403), data: Data()),
            .apiError(response: .made(404, url: "https://h/b"), data: Data()),
            .apiError(response: .made(404), data: Data("a".utf8)),
            mismatch(.id, Int.self), mismatch(.name, Int.self), mismatch(.id, String.self),
            mismatch(.id, Int.self, body: "[]"),
            .decodingError(type: .dataCorrupted(context)),
            .decodingError(type: .keyNotFound(Key.id, context)),
            .decodingError(type: .keyNotFound(Key.name, context)),
            .decodingError(type: .valueNotFound(Int.self, context)),
            .invalidUrl(originalUrl: "a"), .invalidUrl(originalUrl: "b"),
            .invalidResponse,
            .encodingError(type: .json(path: "a", reason: "b")), .encodingError(type: .form(path: "a", reason: "b")),
            .requestError(type: TransportError(.timedOut, request: request)),
            .requestError(type: TransportError(.offline, request: request)),
            .requestError(type: TransportError(.timedOut)),
            .requestError(type: TransportError(.timedOut, request: request, detail: "of a detail")),
            .requestError(type: TransportError(.proxyRefused, proxyStatus: 407)),
            .requestError(type: TransportError(.proxyRefused, proxyStatus: 403)),
            .requestError(type: TransportError(.secureConnectionFailed, securityFailure: .wrongHost)),
        ]
    }

    @Test func errorsThatSayTheSameAreEqualAndAllOthersAreNot() {
        let (ones, others) = (Self.errors(), Self.errors())
        for (index, one) in ones.enumerated() {
            for (otherIndex, other) in others.enumerated() {
                expect((one == other), (index == otherIndex), "\(one) \(other)")
            }
        }
    }

    @Test func theErrorOfTheLayerBelowIsNotCompared() {
        expect(TransportError(.other, underlying: CancellationError()), TransportError(.other))
        let one = UndecodableResponse(response: .made(), data: Data(), underlyingError: CancellationError())
        expect(one, UndecodableResponse(response: .made(), data: Data(), underlyingError: nil))
        #expect(one != UndecodableResponse(response: .made(201), data: Data(), underlyingError: nil))
        #expect(one != UndecodableResponse(response: .made(), data: Data([1]), underlyingError: nil))
    }

    @Test func aThrownErrorCanBeComparedWithAnExpectedOne() async {
        let client = NetworkClient(transport: StubTransport())
        await #expect(throws: NetworkClient.Error.invalidUrl(originalUrl: "/users")) {
            try await client.fetch(request: URLRequest(url: url("/users")))
        }
    }
}
