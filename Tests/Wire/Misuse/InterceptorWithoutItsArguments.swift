// expect: write the seconds of an attempt: .waitTimeout(10)
// expect: write the scheme: .authentication(.bearer(token))
// expect: write the number of requests: .concurrencyLimit(10)
// expect: write the fields: .headers(["X-Name": value])
// expect: write the number of requests per second: .rateLimit(10)
import NetworkClient

/// A function in a list of interceptors, which the compiler cannot explain by itself.
func interceptorWithoutItsArguments() {
    _ = NetworkClient(interceptors: [.waitTimeout])
    _ = NetworkClient(interceptors: [.authentication, .retry])
    _ = NetworkClient(interceptors: [.standardResilience, .concurrencyLimit])
    _ = NetworkClient(interceptors: [.headers])
    _ = NetworkClient(interceptors: [.rateLimit, .tracing])
}
