import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tells the client's logger of calls that end before they reach the innermost interceptor, which logs all others.
///
/// It stands outermost, so that an answer that an interceptor gives without the network is logged as ever.
struct UnsentCallInterceptor: InterceptorProtocol {
    let logger: any NetworkLogger
    let time: any TimeSource

    func process(
        _ request: URLRequest,
        next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
    ) async throws -> NetworkClient.ChainResult {
        let witness = CallWitness()
        let start = time.now
        do {
            let answer = try await CallWitness.$current.withValue(witness) { try await next(request) }
            report(.answered(response: answer.response, data: answer.data), of: request, since: start, witness)
            return answer
        } catch {
            report(.init(of: error), of: request, since: start, witness)
            throw error
        }
    }

    private func report(
        _ stage: NetworkLogEvent.Stage,
        of request: URLRequest,
        since start: Double,
        _ witness: CallWitness
    ) {
        guard !witness.hasSeen else { return }
        logger.log(NetworkLogEvent(request: request, stage: stage, duration: time.now - start))
    }
}
