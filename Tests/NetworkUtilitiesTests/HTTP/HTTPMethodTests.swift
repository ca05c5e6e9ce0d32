import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct HTTPMethodTests {
    @Test(.spec(17, 18), arguments: ["GET", "patch", "M-SEARCH", "X!#$%&'*+-.^_`|~9"])
    func anyTokenIsAMethod(token: String) throws {
        #expect(HTTPMethod(rawValue: token)?.rawValue == token)
        #expect(try HTTPMethod(token).description == token)
    }

    @Test(.spec(26), arguments: ["", " ", "GET ", "GET /\r\nX: 1", "GÉT", "A\u{0}", "A(B)", "A/B"])
    func aTextThatIsNotATokenIsNoMethod(token: String) {
        #expect(HTTPMethod(rawValue: token) == nil)
        #expect(throws: InvalidHTTPMethod(token: token)) { try HTTPMethod(token) }
    }

    @Test func anInvalidMethodIsDescribedInOneSentence() {
        #expect(
            InvalidHTTPMethod(token: "A\r\n").description
                == "The HTTP method \"A\\r\\n\" is not a token: use letters, digits and !#$%&'*+-.^_`|~ only."
        )
    }

    @Test func methodsDifferByCase() {
        #expect(HTTPMethod(rawValue: "patch") != .patch)
    }

    @Test(arguments: [HTTPMethod.get, .head, .put, .delete, .options, .trace, .query])
    func anIdempotentMethodSaysSo(method: HTTPMethod) {
        #expect(method.isIdempotent)
    }

    @Test(arguments: [HTTPMethod.post, .patch, .connect, HTTPMethod(rawValue: "PROPFIND"), HTTPMethod(rawValue: "put")])
    func otherMethodsAndUnknownOnesAreNotIdempotent(method: HTTPMethod?) throws {
        #expect(try !#require(method).isIdempotent)
    }
}

struct KnownHTTPMethodTests {
    @Test(.spec(17)) func theKnownMethodsAreListedOnce() {
        let tokens = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY"]
        #expect(HTTPMethod.known.map(\.rawValue) == tokens)
        #expect(HTTPMethod.known.map(\.id) == tokens)
    }

    @Test(.spec(18)) func aMethodIsCodedAsItsToken() throws {
        let methods = [HTTPMethod.get, try HTTPMethod("PROPFIND")]
        let json = try JSONEncoder().encode(methods)
        #expect(String(decoding: json, as: UTF8.self) == #"["GET","PROPFIND"]"#)
        #expect(try JSONDecoder().decode([HTTPMethod].self, from: json) == methods)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([HTTPMethod].self, from: Data(#"["NOT A METHOD"]"#.utf8))
        }
    }
}

struct URLRequestMethodTests {
    @Test(.spec(18)) func aRequestHasATypedMethod() {
        var request = URLRequest(url: url("https://h"))
        #expect(request.method == .get)
        request.method = .patch
        #expect(request.httpMethod == "PATCH")
        request.httpMethod = "HEAD"
        #expect(request.method == .head)
        request.method = nil
        #expect(request.method == .get)
    }

    @Test(.spec(18)) func anUnknownMethodOfARequestIsNotReadAsGET() {
        var request = URLRequest(url: url("https://h"))
        request.httpMethod = "PROPFIND"
        #expect(request.method == HTTPMethod(rawValue: "PROPFIND"))
        request.httpMethod = "NOT A METHOD"
        #expect(request.method == nil)
    }
}
