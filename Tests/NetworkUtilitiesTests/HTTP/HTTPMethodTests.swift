@testable import NetworkUtilities

struct HTTPMethodTests {
    @Test(.spec(17, 18, 26)) func anyTokenAndNothingElseIsAMethod() throws {
        for token in ["GET", "patch", "M-SEARCH", "X!#$%&'*+-.^_`|~9"] {
            expect(HTTPMethod(rawValue: token)?.rawValue, token)
            expect(try HTTPMethod(token).description, token)
        }
        for token in ["", " ", "GET ", "GET /\r\nX: 1", "GÉT", "A\u{0}", "A(B)", "A/B"] {
            expect(HTTPMethod(rawValue: token), nil)
            #expect(throws: HTTPMethodError(token: token)) { try HTTPMethod(token) }
        }
        expect(
            HTTPMethodError(token: "A\r\n").description,
            "The HTTP method \"A\\r\\n\" is not a token: use letters, digits and !#$%&'*+-.^_`|~ only."
        )
    }

    @Test(.spec(17, 18)) func theKnownMethodsAreListedAndCodedAsTheirTokens() throws {
        let tokens = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY"]
        expect(HTTPMethod.known.map(\.rawValue), tokens)
        expect(HTTPMethod.known.map(\.rawValue), tokens)
        let unknown = try ["PROPFIND", "put"].map { try HTTPMethod($0) }
        let idempotent = (HTTPMethod.known + unknown).filter(\.isIdempotent)
        expect(idempotent, [.get, .head, .put, .delete, .options, .trace, .query])
        let json = try JSONEncoder().encode([.get, unknown[0]])
        expect(String(decoding: json, as: UTF8.self), #"["GET","PROPFIND"]"#)
        expect(try JSONDecoder().decode([HTTPMethod].self, from: json), [.get, unknown[0]])
        let invalid = Data(#"["NOT A METHOD"]"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([HTTPMethod].self, from: invalid) }
    }

    @Test(.spec(18)) func aRequestHasATypedMethodAndAnUnknownOneIsNotReadAsGET() {
        var request = URLRequest(url: url("https://h"))
        expect(request.method, .get)
        request.method = .patch
        expect(request.httpMethod, "PATCH")
        let methods: [(String, HTTPMethod?)] = [
            ("HEAD", .head), ("PROPFIND", HTTPMethod(rawValue: "PROPFIND")), ("patch", HTTPMethod(rawValue: "patch")),
            ("NOT A METHOD", nil),
        ]
        for (token, method) in methods {
            request.httpMethod = token
            expect(request.method, method)
        }
        #expect(request.method != .patch)
        request.method = nil
        expect(request.method, .get)
    }
}
