import FlyingFox
import Foundation

extension SeenRequest {
    /// Describes a request whose body is text, as all of the tour's are.
    init(_ request: HTTPRequest) async throws {
        method = request.method.rawValue
        target = request.target.rawValue
        headers = request.headers.keys.reduce(into: [:]) { $0[$1.rawValue] = request.headers[$1] }
        body = String(decoding: try await request.bodyData, as: UTF8.self)
    }
}
