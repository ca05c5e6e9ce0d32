import NetworkTestSupport
import Testing

@testable import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Foundation
#endif

struct HTTPURLResponseStatusTests {
    @Test(.spec(161), arguments: [(200, HTTPStatus.ok), (404, .notFound), (418, .init(rawValue: 418)), (799, nil)])
    func isTheCodeWithAName(code: Int, status: HTTPStatus?) {
        #expect(HTTPURLResponse.made(code).status == status ?? HTTPStatus(rawValue: code))
    }
}
