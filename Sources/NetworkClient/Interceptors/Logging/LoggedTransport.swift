import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Reports each exchange of a transport as it goes over the wire.
struct LoggedTransport: Transport {
    let wrapped: any Transport
    let log: AttemptLog
    /// Whether a response is reported when its head is there, since its body is the caller's to read.
    let reportsHead: @Sendable (ResponseHead) -> Bool

    var description: String { wrapped.description }
    var defaults: TransportDefaults { wrapped.defaults }

    func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
        let exchange = log.begin(request)
        do {
            let response = try await wrapped.send(request, options: options)
            if !response.body.isStreamed || reportsHead(response.head) {
                exchange.end(response.head, response.body.data)
            }
            guard response.body.isStreamed else { return response }
            let body = LoggedBody(response.body.channel, of: response.head, in: exchange)
            return TransportResponse(head: response.head, body: .streamed(body))
        } catch {
            exchange.fail(error)
            throw error
        }
    }
}

/// A streamed body whose exchange is reported when the body has ended, or nobody reads on; a failure of the body is
/// reported also if the head was.
private final class LoggedBody: BodyChannel {
    /// Bytes that are remembered for a logger that shows bodies.
    private static let limit = 1 << 20

    private let wrapped: any BodyChannel
    private let head: ResponseHead
    private let exchange: ExchangeLog
    private let isRemembered: Bool
    private let read = Locked((beginning: Data(), length: 0))

    init(_ wrapped: any BodyChannel, of head: ResponseHead, in exchange: ExchangeLog) {
        self.wrapped = wrapped
        self.head = head
        self.exchange = exchange
        isRemembered = exchange.showsBodies
    }

    deinit {
        end()
    }

    func next() async throws -> Data? {
        do {
            let chunk = try await wrapped.next()
            if let chunk { remember(chunk) } else { end() }
            return chunk
        } catch {
            exchange.fail(error)
            throw error
        }
    }

    func cancel() {
        wrapped.cancel()
        end()
    }

    private func remember(_ chunk: Data) {
        read.withLock { read in
            read.length += chunk.count
            if isRemembered { read.beginning.append(chunk.prefix(max(0, Self.limit - read.beginning.count))) }
        }
    }

    private func end() {
        let (beginning, length) = read.withLock { $0 }
        exchange.end(head, beginning, length: length)
    }
}
