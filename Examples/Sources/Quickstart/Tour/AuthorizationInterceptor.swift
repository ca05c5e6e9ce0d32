import Foundation
import NetworkClient
import NetworkUtilities

// snippet.show
/// Signs every request.
struct AuthorizationInterceptor: InterceptorProtocol {
    let token: String

    func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        try await next(request.setting(header: .authorization(.bearer(token))))
    }
}

// snippet.hide
extension AuthorizationInterceptor {
    static let code = Snippet(path: #filePath)
}
