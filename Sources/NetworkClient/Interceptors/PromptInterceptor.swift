/// An interceptor of the library's own that waits for nothing but `next`, so that `cancelAll()` need not reach into it.
///
/// A client whose interceptors are all of this kind runs its calls in the caller's task, which saves a task for each.
protocol PromptInterceptor: InterceptorProtocol {
    /// Whether this very value waits for nothing but `next`.
    var isPrompt: Bool { get }
}

extension PromptInterceptor {
    var isPrompt: Bool { true }
}

extension NoOpAdapter: PromptInterceptor {}
extension LoggingInterceptor: PromptInterceptor {}
