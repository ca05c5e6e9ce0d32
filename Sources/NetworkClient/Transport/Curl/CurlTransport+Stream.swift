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
        let (handle, engine, index): (CurlHandle, CurlEngine, Int)
        do {
            (handle, engine, index) = try takeHandleAndEngine(for: transfer.origin)
        } catch {
            leave(transfer.origin)
            throw error
        }
        let leave: @Sendable () -> Void = {
            self.engines.giveBack(index)
            self.leave(transfer.origin)
        }
        let lastMetrics = LateMetrics()
        let buffer = BodyBuffer(.pausing)
        let exchange = transfer.makeExchange(handle, engine, self, options, .streamed(buffer)) { metrics in
            if let metrics {
                lastMetrics.set(metrics)
                self.giveBack(handle)
            }
            leave()
        }
        do {
            try transfer.describe(to: exchange, configuration)
            let answer = try await run(exchange, request)
            let head = try transfer.head(of: answer, answer.metrics ?? TransportMetrics(total: 0))
            lastMetrics.set(head)
            let channel = channel(buffer, of: answer, exchange, transfer)
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
        _ transfer: CurlTransfer
    ) -> CurlBodyChannel {
        buffer.connect {
            exchange.engine.goOn(exchange)
        } onCancel: {
            exchange.fail(CancellationError())
            exchange.engine.stop(exchange)
        }
        // Of the request only the place is kept: its body may be large, and the channel outlives the exchange.
        let place = transfer.place
        return CurlBodyChannel(buffer, codings: answer.head.codings) { CurlTransfer.publicError($0, place) }
    }
}
#endif
