/// A built-in interceptor that suspends only in `next`, so that `cancelAll()` need not reach into it.
///
/// A client whose interceptors are all of this kind runs its calls in the caller's task, which saves a task per call.
protocol PromptInterceptor: InterceptorProtocol {
    /// Whether this value suspends only in `next`.
    var isPrompt: Bool { get }
}

extension PromptInterceptor {
    var isPrompt: Bool { true }
}

extension NoOpAdapter: PromptInterceptor {}
extension LoggingInterceptor: PromptInterceptor {}
