#if os(Linux)
#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Foundation
#endif

extension CurlTransport {
    /// An answer whose body is read while it comes.
    func stream(
        _ transfer: CurlTransfer,
        _ request: URLRequest,
        _ options: TransportOptions
    ) async throws -> TransportResponse {
        let (engine, index) = engines.take(for: transfer.origin)
        let leave: @Sendable () -> Void = {
            self.engines.giveBack(index)
            self.leave(transfer.origin)
        }
        let handle: CurlHandle
        do {
            handle = try takeHandle()
        } catch {
            leave()
            throw error
        }
        let lastMetrics = LateMetrics()
        let buffer = BodyBuffer(.pausing)
        let exchange = transfer.makeExchange(handle, sockets, options, .streamed(buffer)) { metrics in
            if let metrics {
                lastMetrics.set(metrics)
                self.giveBack(handle)
            }
            leave()
        }
        do {
            try transfer.describe(to: exchange, configuration)
            let answer = try await run(exchange, on: engine, request)
            let head = try transfer.head(of: answer, answer.metrics ?? TransportMetrics(total: 0))
            lastMetrics.set(head)
            let channel = channel(buffer, of: answer, exchange, engine, transfer)
            return TransportResponse(head: head, body: .streamed(channel))
        } catch {
            exchange.fail(error)
            engine.stop(exchange)
            throw error
        }
    }

    private func channel(
        _ buffer: BodyBuffer,
        of answer: CurlAnswer,
        _ exchange: CurlExchange,
        _ engine: CurlEngine,
        _ transfer: CurlTransfer
    ) -> CurlBodyChannel {
        buffer.connect {
            engine.goOn(exchange)
        } onCancel: {
            exchange.fail(CancellationError())
            engine.stop(exchange)
        }
        return CurlBodyChannel(buffer, codings: answer.head.codings) { transfer.publicError($0) }
    }
}
#endif
