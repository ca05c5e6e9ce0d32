@testable import NetworkUtilities

struct HeaderFieldEncodableTests {
    private struct Common: Encodable {
        enum CodingKeys: String, CodingKey {
            case clientVersion, ifModifiedSince, acceptLanguage, isTest, soapAction = "SOAPAction", missing
        }

        var clientVersion = 2
        var ifModifiedSince = Date(timeIntervalSince1970: 784_111_777)
        var acceptLanguage = ["el", "en"]
        var isTest = true
        var soapAction = "urn:x"
        var missing: String?
    }

    private let start = URLRequest.get(url: url("https://h"))

    @Test(.spec(27)) func thePropertiesOfAValueAreFields() throws {
        let fields = [
            "Client-Version": "2", "If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT", "Accept-Language": "el, en",
            "Is-Test": "true", "SOAPAction": "urn:x",
        ]
        expect(try start.set(headers: HeaderField.fields(of: Common())).build().fields, fields)
        expect(try start.headers { try HeaderField.fields(of: Common()) }.build().fields, fields)
        expect(try HeaderField.fields(of: ["x-a": 1, "aB": 2]).map(\.name), ["aB", "x-a"])
        let names = [
            "accept": "Accept", "ifNoneMatch": "If-None-Match", "xRequestID": "X-Request-Id", "ETag": "ETag",
            "x-trace": "x-trace", "": "", "dnt": "Dnt",
        ]
        for (property, name) in names { expect(HeaderField.name(ofProperty: property), name) }
    }

    @Test(.spec(26)) func aValueThatIsNoFieldIsAnErrorThatNamesIt() {
        let (problem, failed) = ("The value of the header field", "cannot be written: it is")
        let rows: [(String, () throws -> [HeaderField])] = [
            ("\(HeaderFieldError.invalidValue(name: "A"))", { try HeaderField.fields(of: ["A": "1\r\nB: 2"]) }),
            ("\(HeaderFieldError.invalidName("A B"))", { try HeaderField.fields(of: ["A B": "1"]) }),
            (
                "\(problem) 'A' \(failed) nested, and has no text.",
                { try HeaderField.fields(of: ["A": ["b": "secret"]]) }
            ),
            (
                "\(problem)s \(failed) not an object, so its parts have no names.",
                { try HeaderField.fields(of: "secret") }
            ),
            ("\(problem) 'A' \(failed) not a finite number.", { try HeaderField.fields(of: ["A": Double.nan]) }),
        ]
        for (sentence, make) in rows {
            let error = #expect(throws: HeaderFieldError.self) { try make() }
            expect(error?.description, sentence)
        }
    }

    @Test(.spec(27)) func aDictionaryIsFieldsSortedByName() {
        let start = start.set(headers: ["X-A": "0", "X-C": "3"])
            .add(headers: ["X-A": "1", "X-B": nil, "X C": "no token"])
        expect(start.build().fields, ["X-A": "0,1", "X-C": "3"])
        expect(start.set(headers: ["x-a": nil, "X-C": "4"]).build().fields, ["X-C": "4"])
        expect(start.headers { ["X-C": "5", "X-A": nil] }.build().fields, ["X-C": "5"])
        let plain: [String: String] = ["b": "2", "a": "1"]
        expect(HeaderField.fields(plain).map(\.name), ["a", "b"])
        let builder: URLRequest.HeaderBuilder = start
        expect(builder.add(headers: ["X-C": "6"]).build().fields, ["X-A": "0,1", "X-C": "3,6"])
    }

    @Test func aDateIsAnHTTPDate() {
        let dates: [Date?] = [
            Date(timeIntervalSince1970: 784_111_777.9), nil, .distantFuture.addingTimeInterval(1e12),
        ]
        let values = dates.map { HeaderField.custom(name: "X-Since", date: $0).value }
        expect(values, ["Sun, 06 Nov 1994 08:49:37 GMT", nil, nil])
    }
}
