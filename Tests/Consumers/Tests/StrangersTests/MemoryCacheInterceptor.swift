import Foundation
import NetworkClient

/// A response cache in memory, as a user of the library writes it: fresh GET responses, validation, stale ones for a
/// server that fails.
final class MemoryCacheInterceptor: InterceptorProtocol {
    private struct Entry {
        let data: Data
        let response: HTTPURLResponse
        let time: TimeInterval

        var tag: String? { response.value(forHTTPHeaderField: "ETag") }

        /// The seconds for which the response is fresh.
        var lifetime: TimeInterval {
            let control = response.value(forHTTPHeaderField: "Cache-Control") ?? ""
            let part = control.split(separator: ",").first { $0.contains("max-age=") }
            return part.flatMap { $0.split(separator: "=").last }.flatMap { TimeInterval($0) } ?? 0
        }

        var mayBeStored: Bool {
            response.statusCode == 200
                && response.value(forHTTPHeaderField: "Cache-Control")?.contains("no-store") != true
                && response.value(forHTTPHeaderField: "Vary") == nil
        }
    }

    private actor Store {
        private var entries: [URL: Entry] = [:]

        subscript(url: URL) -> Entry? { entries[url] }

        func keep(_ entry: Entry?, for url: URL) { entries[url] = entry }
    }

    private let store = Store()

    init() {}

    func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        guard let url = request.url, request.value(forHTTPHeaderField: "Authorization") == nil else {
            return try await next(request)
        }
        guard request.method == .get else {
            let result = try await next(request)
            await store.keep(nil, for: url)
            return result
        }
        let context = RequestContext.current
        guard let known = await store[url] else { return try await fetched(request, url, next) }
        let age = context.time.now - known.time
        if age < known.lifetime {
            context.record(.decision, "MemoryCacheInterceptor: fresh for another \(known.lifetime - age) s")
            return (known.data, known.response)
        }
        var conditional = request
        if let tag = known.tag { conditional.set(header: .custom(name: "If-None-Match", value: tag)) }
        do {
            return try await fetched(conditional, url, next)
        } catch NetworkClient.Error.apiError(let response, _) where response.statusCode == 304 {
            await store.keep(Entry(data: known.data, response: known.response, time: context.time.now), for: url)
            return (known.data, known.response)
        } catch NetworkClient.Error.requestError(let failure) where failure.isConnectionFailure {
            context.record(.decision, "MemoryCacheInterceptor: stale, since \(failure.reason)")
            return (known.data, known.response)
        }
    }

    private nonisolated(nonsending) func fetched(
        _ request: URLRequest,
        _ url: URL,
        _ next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        let result = try await next(request)
        let entry = Entry(data: result.data, response: result.response, time: RequestContext.current.time.now)
        await store.keep(entry.mayBeStored ? entry : nil, for: url)
        return result
    }
}
