public import NetworkUtilities

#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

extension NetworkClient {
    /// An accepted answer: the decoded value and the head it came with.
    public struct Response<T> {
        /// The decoded value.
        public let item: T

        /// The head of the answer: status and header fields.
        public let httpResponse: HTTPURLResponse

        /// Takes a value and a head.
        ///
        /// - Parameters:
        ///   - item: The value.
        ///   - httpResponse: The head.
        public init(item: T, httpResponse: HTTPURLResponse) {
            self.item = item
            self.httpResponse = httpResponse
        }

        /// The status code of the answer.
        public var statusCode: Int { httpResponse.statusCode }

        /// The status of the answer, with its name and its class: `response.status == .created`.
        public var status: HTTPStatus { httpResponse.status }

        /// All header fields by name, as received.
        public var allHeaders: [String: String] {
            httpResponse.allHeaderFields.reduce(into: [:]) { $0["\($1.key)"] = "\($1.value)" }
        }

        /// The value of a header field.
        ///
        /// - Parameter key: The field's name, in any letter case.
        /// - Returns: The value; nil if there is no such field.
        public func value(forHeaderKey key: String) -> String? {
            httpResponse.value(forHTTPHeaderField: key)
        }

        /// The value of a header field; nil if there is no such field.
        ///
        /// - Parameter headerKey: The field's name, in any letter case.
        public subscript(headerKey: String) -> String? {
            value(forHeaderKey: headerKey)
        }
    }
}

extension NetworkClient.Response: Sendable where T: Sendable {}
