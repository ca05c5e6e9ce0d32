public import Foundation
public import NetworkUtilities

// Requests that cannot be built yet. Each function that takes a builder has one unavailable twin, as steps in the wrong
// order have theirs in `RequestBuilder+OutOfOrder.swift`.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        this request is not complete: choose a method first; post, put, patch and method need a body step next: \
        bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()
        """
)
extension NetworkClientProtocol {
    public func fetch<D: Decodable>(
        _ request: @autoclosure () throws -> RequestBuilder<some QuerylessStage>,
        as type: D.Type = D.self,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<D> { fatalError() }
    public func fetch(
        _ request: @autoclosure () throws -> RequestBuilder<some QuerylessStage>,
        options: CallOptions = CallOptions()
    ) async throws -> NetworkClient.Response<Void> { fatalError() }
    public func start<D: Decodable>(
        _ request: @autoclosure () throws -> RequestBuilder<some QuerylessStage>,
        as type: D.Type,
        options: CallOptions = CallOptions(),
        completion: @escaping @MainActor @Sendable (Result<NetworkClient.Response<D>, any Error>) -> Void
    ) -> Task<Void, Never> { fatalError() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(
    *,
    unavailable,
    message: """
        this request is not complete: choose a method first; post, put, patch and method need a body step next: \
        bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()
        """
)
extension NetworkClient {
    public func stream(
        _ request: @autoclosure () throws -> RequestBuilder<some QuerylessStage>,
        options: CallOptions = CallOptions()
    ) async throws -> Response<ResponseBody> { fatalError() }
    public func upload<D: Decodable>(
        _ request: @autoclosure () throws -> RequestBuilder<some QuerylessStage>,
        as type: D.Type = D.self,
        options: CallOptions = CallOptions()
    ) -> Transfer<Response<D>> { fatalError() }
    public func upload(
        _ request: @autoclosure () throws -> RequestBuilder<some QuerylessStage>,
        options: CallOptions = CallOptions()
    ) -> Transfer<Response<Void>> { fatalError() }
    public func download(
        _ request: @autoclosure () throws -> RequestBuilder<some QuerylessStage>,
        to destination: URL,
        resuming token: ResumeToken? = nil,
        isResumable: Bool = false,
        options: CallOptions = CallOptions()
    ) -> Download { fatalError() }
}
