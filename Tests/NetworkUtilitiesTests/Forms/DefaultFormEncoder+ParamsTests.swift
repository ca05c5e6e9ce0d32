import Foundation
import Testing

@testable import NetworkUtilities

struct DefaultFormEncoderParamsTests {
    private struct User: Encodable {
        var name = "Ada"
        var age = 36
        var email: String?
        var tags = ["x", "y"]
        var address = ["city": "London"]
        var born = Date(timeIntervalSince1970: 0)
    }

    @Test(.spec(41)) func parametersBecomeStrings() throws {
        let params: Params = [
            "page": 1, "all": true, "none": Optional<Int>.none as Any, "tags": ["a", "b"], "n": ["k": [1.5]],
            "empty": [Int](),
        ]
        let strings = try DefaultFormEncoder().strings(from: params)
        #expect(
            strings == ["page": "1", "all": "true", "tags[0]": "a", "tags[1]": "b", "n[k][0]": "1.5"]
        )
        let style = FormStyle(arrays: .comma, nesting: .dots, booleans: .numeric)
        let others = try DefaultFormEncoder(style: style).strings(from: params)
        #expect(others == ["page": "1", "all": "1", "tags": "a,b", "n.k": "1.5"])
        #expect(throws: BodyEncodingError.form(path: "d", reason: "is not a finite number")) {
            try DefaultFormEncoder().strings(from: ["d": Double.nan])
        }
    }

    @Test(.spec(41)) func thePropertiesOfAValueBecomeParameters() throws {
        let encoder = DefaultFormEncoder()
        var params = try encoder.params(from: User())
        #expect(params["name"] as? String == "Ada")
        #expect(params["age"] as? String == "36")
        #expect(params["tags"] as? [String] == ["x", "y"])
        #expect((params["address"] as? Params)?["city"] as? String == "London")
        #expect(params["email"] == nil)
        params["page"] = 2
        #expect(
            try encoder.percentEncodedString(params: params) == "address%5Bcity%5D=London&age=36"
                + "&born=1970-01-01T00%3A00%3A00Z&name=Ada&page=2&tags%5B%5D=x&tags%5B%5D=y"
        )
        #expect(try encoder.params(from: Optional<User>.none).isEmpty)
        #expect(throws: BodyEncodingError.self) { try encoder.params(from: [1]) }
    }
}
