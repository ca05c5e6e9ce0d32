import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct RequestValidationTests {
    private func request(_ change: (inout URLRequest) -> Void) -> URLRequest {
        var request = URLRequest(url: url("https://u:secret@api.example.com:8443/items?token=secret"))
        change(&request)
        return request
    }

    private func sentence(_ change: (inout URLRequest) -> Void) -> String? {
        do {
            _ = try RequestValidation.check(request(change))
            return nil
        } catch {
            return String(describing: error)
        }
    }

    private let failed = "The request to 'https://api.example.com:8443/items' failed: "

    @Test(.spec(26)) func aMethodThatIsNotATokenIsRefused() {
        expect(sentence { $0.httpMethod = "GET / HTTP/1.1\r\nX: y" }, failed + "its method is not a token.")
    }

    @Test(.spec(26)) func aLineBreakInAHeaderFieldIsRefused() {
        let name = sentence { $0.allHTTPHeaderFields = ["X\r\nEvil": "1"] }
        expect(name, failed + "the name of one of its header fields is not a token.")
        let value = sentence { $0.allHTTPHeaderFields = ["X-A": "1\r\nEvil: 2"] }
        #expect(value == nil || value == failed + "its header field 'X-A' holds a control character.")
    }

    @Test func anEmptyHostFieldAndControlCharactersAreRefused() {
        expect(sentence { $0.allHTTPHeaderFields = ["host": " "] }, failed + "its header field 'Host' is empty.")
        let text = sentence { $0.allHTTPHeaderFields = ["X-A": "a\u{1}b"] }
        expect(text, failed + "its header field 'X-A' holds a control character.")
    }

    @Test(arguments: [HTTPMethod.get, .head, .trace, .connect])
    func aBodyWithAMethodThatHasNoneIsRefused(method: HTTPMethod) {
        let text = sentence {
            $0.method = method
            $0.httpBody = Data([1])
        }
        expect(text, failed + "a \(method) request cannot carry a body.")
    }

    @Test(arguments: [0, -1, -Double.infinity, Double.nan])
    func aTimeoutThatIsNotPositiveIsRefused(seconds: Double) {
        expect(sentence { $0.timeoutInterval = seconds }, failed + "its timeout is not more than 0 seconds.")
    }

    @Test func anInfiniteTimeoutIsAccepted() {
        expect(sentence { $0.timeoutInterval = .infinity }, nil)
    }

    @Test(arguments: TransportUnderTest.all)
    func aPortThatIsTooLargeForAnIntegerIsAnErrorOfTheCall(transport: TransportUnderTest) async throws {
        let client = try transport.client(interceptors: [
            .authentication(.bearer("secret"), origins: [url("http://127.0.0.1:80")])
        ])
        let request = URLRequest(url: url("http://127.0.0.1:99999999999999999999/"))
        let error = await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        guard case .requestError(let failure) = error else { return expect(error, nil) }
        expect(failure.reason, .invalidRequest, "\(failure)")
    }

    @Test func framingFieldsAreLeftToTheTransport() throws {
        let refusal = sentence { $0.setValue("chunked", forHTTPHeaderField: "Transfer-Encoding") }
        expect(refusal, failed + "it sets 'Transfer-Encoding', which the client sets itself.")
        let wrong = sentence {
            $0.method = .post
            $0.httpBody = Data([1, 2])
            $0.setValue("3", forHTTPHeaderField: "Content-Length")
        }
        expect(wrong, failed + "its 'Content-Length' is '3' and its body has 2 bytes.")
        let right = try RequestValidation.check(
            request {
                $0.method = .post
                $0.httpBody = Data([1, 2])
                $0.setValue("2", forHTTPHeaderField: "Content-Length")
            }
        )
        expect(right.value(forHTTPHeaderField: "Content-Length"), nil)
    }

    @Test(arguments: [
        "http://h", "https://h", "HTTPS://h/x", "http://1", "http://[::1]:80/", "http://u:p@h/x", "http://h/@",
    ])
    func everyWebURLIsAccepted(text: String) throws {
        _ = try RequestValidation.check(URLRequest(url: url(text)))
    }

    /// The transport's own reason, and the client's error that callers get for it.
    private func refusal(
        of request: URLRequest
    ) throws -> (reason: TransportError.Reason, error: NetworkClient.Error?) {
        let error = try #require(throws: TransportError.self) { try RequestValidation.check(request) }
        let wrapped = NetworkClient.Error.wrapping(error, nil) as? NetworkClient.Error
        expect(wrapped, NetworkClient.Error(error))
        return (error.reason, wrapped)
    }

    @Test(.spec(91), arguments: ["file:///etc/hosts", "data:,hello", "DATA:,x"])
    func aFileOrDataURLIsAnInvalidResponse(text: String) throws {
        let refusal = try refusal(of: URLRequest(url: url(text)))
        #expect(refusal == (.notHTTP, .invalidResponse))
    }

    @Test(arguments: [
        "ftp://h/x", "items", "//h/x", "https:///x", "mailto:a@b", "https://", "http:x", "http://?q", "httpsx://h",
        "ftp://u:p@h/x?token=t#f",
    ])
    func aURLThatIsNotAWebURLIsRefused(text: String) throws {
        let refusal = try refusal(of: URLRequest(url: url(text)))
        #expect(refusal == (.invalidURL, .invalidUrl(originalUrl: text)))
    }

    /// The error of a custom transport is the client's, too.
    @Test func aRequestWithoutAURLIsRefused() throws {
        var request = URLRequest(url: url("http://h"))
        request.url = nil
        let refusal = try refusal(of: request)
        #expect(refusal == (.invalidURL, .invalidUrl(originalUrl: "")))
    }

    #if os(Linux)
    /// A transport may be used without a client, whose errors it does not throw.
    @Test func aTransportRefusesARequestWithoutAURL() async throws {
        var request = URLRequest(url: url("http://h"))
        request.url = nil
        let unsendable = request
        await #expect(throws: TransportError(.invalidURL)) {
            _ = try await CurlTransport().send(unsendable, options: TransportOptions())
        }
    }
    #endif
}
