import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct URLEncodedFormTests {
    private func text(_ form: URLEncodedForm) throws -> String {
        let request = try URLRequest.post(url: url("https://h")).body(form).build()
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
        return String(decoding: request.httpBody ?? Data(), as: UTF8.self)
    }

    @Test(.spec(37, 38, 39)) func aFormIsMadeOfPairsItemsParametersOrProperties() throws {
        #expect(try text(URLEncodedForm(pairs: ["z": "1 2", "a": "é", "z": nil])) == "z=1+2&a=%C3%A9")
        #expect(try text(URLEncodedForm(items: [URLQueryItem(name: "flag", value: nil)])) == "flag=")
        #expect(try text(URLEncodedForm(params: ["b": [1, 2], "a": true])) == "a=true&b%5B%5D=1&b%5B%5D=2")
        let style = FormStyle(arrays: .comma)
        #expect(try text(URLEncodedForm(of: ["b": [1, 2]], style: style)) == "b=1,2")
    }

    @Test(.spec(41)) func aValueWithoutAFormIsAnError() {
        #expect(throws: BodyEncodingError.self) { try URLEncodedForm(params: ["a": Data()]) }
        #expect(throws: BodyEncodingError.self) { try URLEncodedForm(of: [Double.infinity]) }
    }
}
