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

        private let head: ResponseHead

        /// Takes a value and a head.
        ///
        /// - Parameters:
        ///   - item: The value.
        ///   - httpResponse: The head.
        public init(item: T, httpResponse: HTTPURLResponse) {
            self.init(item: item, head: ResponseHead(httpResponse))
        }

        init(item: T, head: ResponseHead) {
            self.item = item
            self.head = head
        }

        /// The head of the answer: status and header fields.
        public var httpResponse: HTTPURLResponse { head.response }

        /// The status code of the answer.
        public var statusCode: Int { head.status }

        /// The status of the answer, with its name and its class: `response.status == .created`.
        public var status: HTTPStatus { HTTPStatus(rawValue: head.status) }

        /// How the exchange went: times, bytes, the version of HTTP, redirects.
        ///
        /// Nil if an interceptor answered in the server's place. A response that an interceptor made anew has those of
        /// the server's last response if that had the same status, or was a 304.
        public var metrics: TransportMetrics? { head.metrics }

        /// The header fields as they were received, in their order and with duplicates, as far as the transport knows
        /// them: URLSession joins fields of one name and does not keep their order.
        public var fields: ResponseFields { head.fields }

        /// All header fields by name; fields of one name are joined by `, `.
        public var allHeaders: [String: String] {
            httpResponse.allHeaderFields.reduce(into: [:]) { $0["\($1.key)"] = "\($1.value)" }
        }

        /// The value of a header field.
        ///
        /// - Parameter key: The field's name, in any letter case.
        /// - Returns: The value; nil if there is no such field.
        public func value(forHeaderKey key: String) -> String? {
            head.value(of: key)
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
