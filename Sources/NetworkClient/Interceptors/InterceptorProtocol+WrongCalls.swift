// Interceptors as other libraries spell them; the message says what to write.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message:
        "a credential is given to .authentication, with its origins: .authentication(.bearer(token), origins: [url])"
)
extension InterceptorProtocol where Self == AuthenticationInterceptor {
    public static func bearer(_ token: String) -> AuthenticationInterceptor { fatalError() }
    public static func apiKey(_ key: String, header: String) -> AuthenticationInterceptor { fatalError() }
    public static func authentication(
        _ scheme: AuthenticationScheme,
        origins: [String]
    ) -> AuthenticationInterceptor { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, message: "retries are a number, one less than the attempts: .retry(3)")
extension InterceptorProtocol where Self == RetryInterceptor {
    public static func retry(retries: Int) -> RetryInterceptor { fatalError() }
    public static func retry(limit: Int) -> RetryInterceptor { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RetryPolicy {
    @available(*, unavailable, message: "retries are a number, one less than the attempts: RetryPolicy(retries: 3)")
    public init(limit: Int) { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, message: "a field with any name is .headers([.custom(name: \"X-Name\", value: value)])")
extension InterceptorProtocol where Self == HeadersInterceptor {
    public static func headers(_ fields: [String: String]) -> HeadersInterceptor { fatalError() }
}
