import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct FormStyleNestingStyleTests {
    private func text(_ params: Params, _ style: FormStyle.NestingStyle) throws -> String {
        try DefaultFormEncoder(style: FormStyle(nesting: style)).percentEncodedString(params: params)
    }

    @Test(.spec(41)) func namesPartsInBrackets() throws {
        #expect(try text(["n": ["k.&": ["j": 1]]], .brackets) == "n%5Bk.%26%5D%5Bj%5D=1")
    }

    @Test func namesPartsAfterDots() throws {
        #expect(try text(["n": ["k&": ["j": 1]]], .dots) == "n.k%26.j=1")
        #expect(try text(["n": ["a": [1, 2]], "l": [["k": 1]]], .dots) == "l%5B0%5D.k=1&n.a%5B%5D=1&n.a%5B%5D=2")
    }
}
