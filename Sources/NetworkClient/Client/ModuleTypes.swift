/// The types of this module, for the members of the client with the same names, such as `NetworkClient.Cookie`.
///
/// The module and its class have one name, so `NetworkClient.Cookie` is looked up in the class. Its members let an app
/// with another type `Cookie` write the library's. From Swift 6.3 on, `NetworkClient::Cookie` does the same.
public enum ModuleTypes {}

/// Another name of the client, for apps and packages that have another type `NetworkClient`.
///
/// Such a type hides both the class and the module, so that `NetworkClient.NetworkClient` cannot be written there.
public typealias HTTPNetworkClient = NetworkClient

// An alias cannot refer to a type of the same name, hence the suffix.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@_documentation(visibility: internal)
extension ModuleTypes {
    public typealias AcceptedStatusesType = AcceptedStatuses
    public typealias AccessTokenType = AccessToken
    public typealias AuthenticationErrorType = AuthenticationError
    public typealias AuthenticationInterceptorType = AuthenticationInterceptor
    public typealias AuthenticationSchemeType = AuthenticationScheme
    public typealias BackoffType = Backoff
    public typealias CallJourneyType = CallJourney
    public typealias CallOptionKeyType = CallOptionKey
    public typealias CallOptionsType = CallOptions
    public typealias CallReportType = CallReport
    public typealias CircuitBreakerInterceptorType = CircuitBreakerInterceptor
    public typealias CircuitOpenErrorType = CircuitOpenError
    public typealias ClosureTransportType = ClosureTransport
    public typealias ConcurrencyLimitInterceptorType = ConcurrencyLimitInterceptor
    public typealias CookieType = Cookie
    public typealias CookieStoreType = CookieStore
    public typealias CredentialStoreType = CredentialStore
    public typealias DeadlineInterceptorType = DeadlineInterceptor
    public typealias DecodableByStatusType = DecodableByStatus
    public typealias DecoderProtocolType = DecoderProtocol
    public typealias DefaultDecoderType = DefaultDecoder
    public typealias DefaultLogStreamType = DefaultLogStream
    public typealias DefaultLoggerType = DefaultLogger
    public typealias DownloadType = Download
    public typealias EmptyResponseType = EmptyResponse
    public typealias EndpointType = Endpoint
    public typealias EnvelopeDecoderType = EnvelopeDecoder
    public typealias FileCredentialStoreType = FileCredentialStore
    public typealias GraphQLDocumentType = GraphQLDocument
    public typealias GraphQLErrorType = GraphQLError
    public typealias GraphQLResponseErrorType = GraphQLResponseError
    public typealias HeaderMasksType = HeaderMasks
    public typealias HeadersInterceptorType = HeadersInterceptor
    public typealias IdempotencyKeyInterceptorType = IdempotencyKeyInterceptor
    public typealias InMemoryCredentialStoreType = InMemoryCredentialStore
    public typealias InterceptorProtocolType = InterceptorProtocol
    public typealias InterceptorStackType = InterceptorStack
    public typealias LimitScopeType = LimitScope
    public typealias LogRedactionType = LogRedaction
    public typealias LogStreamType = LogStream
    public typealias LogTypeType = LogType
    public typealias LoggerFilterType = LoggerFilter
    public typealias LoggingInterceptorType = LoggingInterceptor
    public typealias MediaTypeDecoderType = MediaTypeDecoder
    public typealias NetworkClientProtocolType = NetworkClientProtocol
    public typealias NetworkLogEventType = NetworkLogEvent
    public typealias NetworkLoggerType = NetworkLogger
    public typealias NetworkLoggingLevelType = NetworkLoggingLevel
    public typealias NullHandlingDecoderType = NullHandlingDecoder
    public typealias ProblemDetailsType = ProblemDetails
    public typealias QueueFullErrorType = QueueFullError
    public typealias RateLimitInterceptorType = RateLimitInterceptor
    public typealias RedirectPolicyType = RedirectPolicy
    public typealias RequestContextType = RequestContext
    public typealias ResponseBodyType = ResponseBody
    public typealias ResponseErrorMapperType = ResponseErrorMapper
    public typealias ResponseFieldsType = ResponseFields
    public typealias ResumeTokenType = ResumeToken
    public typealias RetryBudgetType = RetryBudget
    public typealias RetryInterceptorType = RetryInterceptor
    public typealias RetryPolicyType = RetryPolicy
    public typealias RouteType = Route
    public typealias RoutedEndpointType = RoutedEndpoint
    public typealias RouteErrorType = RouteError
    public typealias StubTransportType = StubTransport
    public typealias SystemTimeSourceType = SystemTimeSource
    public typealias TestClockType = TestClock
    public typealias TimeSourceType = TimeSource
    public typealias TokenSessionType = TokenSession
    public typealias TraceContextType = TraceContext
    public typealias TracingInterceptorType = TracingInterceptor
    public typealias TransferProgressType = TransferProgress
    public typealias TransportType = Transport
    public typealias TransportErrorType = TransportError
    public typealias TransportMetricsType = TransportMetrics
    public typealias TransportOptionsType = TransportOptions
    public typealias TransportResponseType = TransportResponse
    public typealias URLSessionTransportType = URLSessionTransport
    public typealias EitherType<First, Second> = Either<First, Second>
    public typealias GraphQLOperationType<Value: Decodable & Sendable> = GraphQLOperation<Value>
    public typealias GraphQLResponseType<Value: Decodable & Sendable> = GraphQLResponse<Value>
    public typealias LossyArrayType<Element> = LossyArray<Element>
    public typealias TransferType<Value: Sendable> = Transfer<Value>
    public typealias StatusCaseType<Value> = StatusCase<Value>
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@_documentation(visibility: internal)
extension NetworkClient {
    public typealias AcceptedStatuses = ModuleTypes.AcceptedStatusesType
    public typealias AccessToken = ModuleTypes.AccessTokenType
    public typealias AuthenticationError = ModuleTypes.AuthenticationErrorType
    public typealias AuthenticationInterceptor = ModuleTypes.AuthenticationInterceptorType
    public typealias AuthenticationScheme = ModuleTypes.AuthenticationSchemeType
    public typealias Backoff = ModuleTypes.BackoffType
    public typealias CallJourney = ModuleTypes.CallJourneyType
    public typealias CallOptionKey = ModuleTypes.CallOptionKeyType
    public typealias CallOptions = ModuleTypes.CallOptionsType
    public typealias CallReport = ModuleTypes.CallReportType
    public typealias CircuitBreakerInterceptor = ModuleTypes.CircuitBreakerInterceptorType
    public typealias CircuitOpenError = ModuleTypes.CircuitOpenErrorType
    public typealias ClosureTransport = ModuleTypes.ClosureTransportType
    public typealias ConcurrencyLimitInterceptor = ModuleTypes.ConcurrencyLimitInterceptorType
    public typealias Cookie = ModuleTypes.CookieType
    public typealias CookieStore = ModuleTypes.CookieStoreType
    public typealias CredentialStore = ModuleTypes.CredentialStoreType
    public typealias DeadlineInterceptor = ModuleTypes.DeadlineInterceptorType
    public typealias DecodableByStatus = ModuleTypes.DecodableByStatusType
    public typealias DecoderProtocol = ModuleTypes.DecoderProtocolType
    public typealias DefaultDecoder = ModuleTypes.DefaultDecoderType
    public typealias DefaultLogStream = ModuleTypes.DefaultLogStreamType
    public typealias DefaultLogger = ModuleTypes.DefaultLoggerType
    public typealias Download = ModuleTypes.DownloadType
    public typealias EmptyResponse = ModuleTypes.EmptyResponseType
    public typealias Endpoint = ModuleTypes.EndpointType
    public typealias EnvelopeDecoder = ModuleTypes.EnvelopeDecoderType
    public typealias FileCredentialStore = ModuleTypes.FileCredentialStoreType
    public typealias GraphQLDocument = ModuleTypes.GraphQLDocumentType
    public typealias GraphQLError = ModuleTypes.GraphQLErrorType
    public typealias GraphQLResponseError = ModuleTypes.GraphQLResponseErrorType
    public typealias HeaderMasks = ModuleTypes.HeaderMasksType
    public typealias HeadersInterceptor = ModuleTypes.HeadersInterceptorType
    public typealias IdempotencyKeyInterceptor = ModuleTypes.IdempotencyKeyInterceptorType
    public typealias InMemoryCredentialStore = ModuleTypes.InMemoryCredentialStoreType
    public typealias InterceptorProtocol = ModuleTypes.InterceptorProtocolType
    public typealias InterceptorStack = ModuleTypes.InterceptorStackType
    public typealias LimitScope = ModuleTypes.LimitScopeType
    public typealias LogRedaction = ModuleTypes.LogRedactionType
    public typealias LogStream = ModuleTypes.LogStreamType
    public typealias LogType = ModuleTypes.LogTypeType
    public typealias LoggerFilter = ModuleTypes.LoggerFilterType
    public typealias LoggingInterceptor = ModuleTypes.LoggingInterceptorType
    public typealias MediaTypeDecoder = ModuleTypes.MediaTypeDecoderType
    public typealias NetworkClientProtocol = ModuleTypes.NetworkClientProtocolType
    public typealias NetworkLogEvent = ModuleTypes.NetworkLogEventType
    public typealias NetworkLogger = ModuleTypes.NetworkLoggerType
    public typealias NetworkLoggingLevel = ModuleTypes.NetworkLoggingLevelType
    public typealias NullHandlingDecoder = ModuleTypes.NullHandlingDecoderType
    public typealias ProblemDetails = ModuleTypes.ProblemDetailsType
    public typealias QueueFullError = ModuleTypes.QueueFullErrorType
    public typealias RateLimitInterceptor = ModuleTypes.RateLimitInterceptorType
    public typealias RedirectPolicy = ModuleTypes.RedirectPolicyType
    public typealias RequestContext = ModuleTypes.RequestContextType
    public typealias ResponseBody = ModuleTypes.ResponseBodyType
    public typealias ResponseErrorMapper = ModuleTypes.ResponseErrorMapperType
    public typealias ResponseFields = ModuleTypes.ResponseFieldsType
    public typealias ResumeToken = ModuleTypes.ResumeTokenType
    public typealias RetryBudget = ModuleTypes.RetryBudgetType
    public typealias RetryInterceptor = ModuleTypes.RetryInterceptorType
    public typealias RetryPolicy = ModuleTypes.RetryPolicyType
    public typealias Route = ModuleTypes.RouteType
    public typealias RoutedEndpoint = ModuleTypes.RoutedEndpointType
    public typealias RouteError = ModuleTypes.RouteErrorType
    public typealias StubTransport = ModuleTypes.StubTransportType
    public typealias SystemTimeSource = ModuleTypes.SystemTimeSourceType
    public typealias TestClock = ModuleTypes.TestClockType
    public typealias TimeSource = ModuleTypes.TimeSourceType
    public typealias TokenSession = ModuleTypes.TokenSessionType
    public typealias TraceContext = ModuleTypes.TraceContextType
    public typealias TracingInterceptor = ModuleTypes.TracingInterceptorType
    public typealias TransferProgress = ModuleTypes.TransferProgressType
    public typealias Transport = ModuleTypes.TransportType
    public typealias TransportError = ModuleTypes.TransportErrorType
    public typealias TransportMetrics = ModuleTypes.TransportMetricsType
    public typealias TransportOptions = ModuleTypes.TransportOptionsType
    public typealias TransportResponse = ModuleTypes.TransportResponseType
    public typealias URLSessionTransport = ModuleTypes.URLSessionTransportType
    public typealias Either<First, Second> = ModuleTypes.EitherType<First, Second>
    public typealias GraphQLOperation<Value: Decodable & Sendable> = ModuleTypes.GraphQLOperationType<Value>
    public typealias GraphQLResponse<Value: Decodable & Sendable> = ModuleTypes.GraphQLResponseType<Value>
    public typealias LossyArray<Element> = ModuleTypes.LossyArrayType<Element>
    public typealias Transfer<Value: Sendable> = ModuleTypes.TransferType<Value>
    public typealias StatusCase<Value> = ModuleTypes.StatusCaseType<Value>
}
