import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

/// Bodies that may be missing, and bodies that are one number.
struct BodyStageOptionalTests {
    private struct Payload: Encodable {
        let name: String
    }

    private let start = URLRequest.post(url: url("https://h"))

    private func expectNoBody(_ request: URLRequest) {
        #expect(request.httpBody == nil)
        #expect(request.httpBodyStream == nil)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test(.spec(16)) func nilSendsNoBody() throws {
        let payload: Payload? = nil
        let params: Params? = nil
        expectNoBody(try start.bodyJson(of: payload).build())
        expectNoBody(try start.bodyForm(of: payload).build())
        expectNoBody(try start.bodyForm(params: params).build())
        expectNoBody(try start.bodyFormUtf8(params: params).build())
        expectNoBody(start.bodyForm(items: nil).build())
        expectNoBody(start.bodyText(nil).build())
        expectNoBody(start.bodyText(nil as Int?).build())
    }

    @Test(.spec(34, 43)) func anOptionalWithAValueIsSentAsTheValue() throws {
        let payload: Payload? = Payload(name: "a")
        #expect(try start.bodyJson(of: payload).build().httpBody == Data(#"{"name":"a"}"#.utf8))
        #expect(try start.bodyForm(of: payload).build().httpBody == Data("name=a".utf8))
        #expect(start.bodyText("é" as String?).build().httpBody == Data("é".utf8))
    }

    @Test(.spec(43)) func aNumberOrABooleanIsText() {
        let texts = [
            (start.bodyText(42).build(), "42"), (start.bodyText(2.5).build(), "2.5"),
            (start.bodyText(true).build(), "true"), (start.bodyText(Float(-1)).build(), "-1.0"),
        ]
        for (request, text) in texts {
            #expect(request.httpBody == Data(text.utf8))
            #expect(request.value(forHTTPHeaderField: "Content-Type") == "text/plain; charset=utf-8")
        }
        #expect(start.bodyText(1, type: .json).build().value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test(.spec(37, 38)) func pairsAreAFormInTheirOrder() {
        let request = start.bodyForm(pairs: ["b": "x y", "a": "é&", "b": "2", "none": nil]).build()
        #expect(request.httpBody == Data("b=x+y&a=%C3%A9%26&b=2".utf8))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
    }
}
