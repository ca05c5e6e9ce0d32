import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Which answer a `DecodingError` is about; it rides in the error's context, whose case is part of the contract.
struct UndecodableAnswer: Error {
    /// Status and place of the answer.
    let status: Int
    let place: String?
    /// What the context held before.
    let underlying: (any Error)?

    /// The same error, which also knows the answer.
    static func name(_ response: HTTPURLResponse, in error: DecodingError) -> DecodingError {
        func named(_ context: DecodingError.Context) -> DecodingError.Context {
            let answer = UndecodableAnswer(
                status: response.statusCode,
                place: response.url.map(TransportError.place),
                underlying: context.underlyingError
            )
            return DecodingError.Context(
                codingPath: context.codingPath,
                debugDescription: context.debugDescription,
                underlyingError: answer
            )
        }
        switch error {
        case .typeMismatch(let type, let context): return .typeMismatch(type, named(context))
        case .valueNotFound(let type, let context): return .valueNotFound(type, named(context))
        case .keyNotFound(let key, let context): return .keyNotFound(key, named(context))
        case .dataCorrupted(let context): return .dataCorrupted(named(context))
        @unknown default: return error
        }
    }

    /// The answer that an error is about, if it knows.
    init?(in error: DecodingError) {
        let context: DecodingError.Context
        switch error {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
            .dataCorrupted(let found):
            context = found
        @unknown default: return nil
        }
        guard let answer = context.underlyingError as? UndecodableAnswer else { return nil }
        self = answer
    }

    private init(status: Int, place: String?, underlying: (any Error)?) {
        self.status = status
        self.place = place
        self.underlying = underlying
    }
}
