extension NetworkClient: CustomStringConvertible {
    /// The base URL without user, password and query, the interceptors from the outside in, and the transport; then a
    /// line for each order of interceptors that hardly makes sense, and for an authentication of another origin.
    ///
    /// ```swift
    /// let client = try NetworkClient(
    ///     baseURL: "https://api.example.com",
    ///     interceptors: [.deadline(30), .retry()]
    /// )
    /// print(client)
    /// // https://api.example.com: Deadline (30 s) → Retry
    /// //     → CurlTransport (libcurl 8.14.1, HTTP/2)
    /// ```
    public var description: String {
        let steps = interceptors.map(\.nameInChain) + [transport.description]
        let place = configuration.baseURL.map(\.shownPlace) ?? "NetworkClient"
        let lines = ["\(place): \(steps.joined(separator: " → "))"]
        let doubts = interceptors.doubts + interceptors.doubts(about: configuration.baseURL)
        return (lines + doubts).joined(separator: "\n")
    }
}

extension InterceptorProtocol {
    /// The name of the type without its ending, and the seconds of a limit.
    fileprivate var nameInChain: String {
        if let deadline = self as? DeadlineInterceptor { return deadline.shown }
        let name = "\(type(of: self))"
        let ending = "Interceptor"
        return name.hasSuffix(ending) && name != ending ? String(name.dropLast(ending.count)) : name
    }
}

extension [any InterceptorProtocol] {
    /// A sentence for each authentication whose credential never goes to the requests of the client.
    fileprivate func doubts(about baseURL: URL?) -> [String] {
        compactMap { $0 as? AuthenticationInterceptor }.compactMap { interceptor in
            guard let origins = interceptor.origins else {
                guard baseURL == nil else { return nil }
                return "The authentication has no origins, and the client no base URL: its calls fail."
            }
            guard let baseURL else { return nil }
            let others = origins.filter { !Origin.isOne(of: [$0], baseURL) }
            let names = others.map { "'\($0.text)'" }.joined(separator: ", ")
            guard others.count == origins.count else {
                guard !others.isEmpty else { return nil }
                return "The authentication never goes to \(names): the client sends credentials only to its base URL."
            }
            let only = origins.isEmpty ? "no origin" : names
            return "The authentication is for \(only), not for the base URL: leave out its origins."
        }
    }

    /// A sentence for each order that hardly makes sense.
    fileprivate var doubts: [String] {
        func first(_ matches: (any InterceptorProtocol) -> Bool) -> Int? { firstIndex(where: matches) }
        var doubts: [String] = []
        let resender = first { $0 is RetryInterceptor || $0 is AuthenticationInterceptor }
        if let place = first({ $0 is CompressionInterceptor }), let resender, resender < place {
            let outer = self[resender] is RetryInterceptor ? "retry" : "authentication"
            doubts.append("The compression is inside the \(outer): put it before, to run once and before a signature.")
        }
        guard let retry = first({ $0 is RetryInterceptor }) else { return doubts }
        if lastIndex(where: { $0 is RetryInterceptor }) != retry {
            doubts.append("Two retries multiply: a call is sent as often as both allow together.")
        }
        if let place = first({ ($0 as? DeadlineInterceptor)?.isForAttempt == true }), place < retry {
            doubts.append("The wait timeout is outside the retry, so it limits the whole call: put it after.")
        }
        if let place = first({ ($0 as? DeadlineInterceptor)?.isForAttempt == false }), place > retry {
            doubts.append("The deadline is inside the retry, so it limits each attempt: put it before.")
        }
        if let place = first({ $0 is ConcurrencyLimitInterceptor }), place < retry {
            doubts.append("The concurrency limit is outside the retry, so waits take up its places: put it after.")
        }
        if let place = first({ $0 is AuthenticationInterceptor }), place < retry {
            doubts.append(
                "The retry is inside the authentication, so it does not see a refresh that fails: put it before."
            )
        }
        return doubts
    }
}
