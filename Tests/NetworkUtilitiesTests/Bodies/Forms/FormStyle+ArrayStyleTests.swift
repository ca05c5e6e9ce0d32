import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct FormStyleArrayStyleTests {
    private func text(_ value: [Any], _ style: FormStyle.ArrayStyle) throws -> String {
        try DefaultFormEncoder(style: FormStyle(arrays: style)).percentEncodedString(params: ["t": value])
            .replacingOccurrences(of: "%5B", with: "[").replacingOccurrences(of: "%5D", with: "]")
    }

    private static let styles: [FormStyle.ArrayStyle] = [.repeated, .brackets, .indices, .comma]

    @Test(.spec(10, 39), arguments: zip(styles, ["t=a+b&t=1", "t[]=a+b&t[]=1", "t[0]=a+b&t[1]=1", "t=a+b,1"]))
    func namesAndDividesTheElements(style: FormStyle.ArrayStyle, expected: String) throws {
        #expect(try text(["a b", 1], style) == expected)
    }

    @Test(.spec(10, 41), arguments: zip(styles, ["t=a&t=b", "t[]=a&t[]=b", "t[1]=a&t[3]=b", "t=a,b"]))
    func leavesOutNil(style: FormStyle.ArrayStyle, expected: String) throws {
        #expect(try text([NSNull(), "a", Optional<Int>.none as Any, "b"], style) == expected)
    }

    @Test(.spec(10), arguments: zip(styles, ["t=%2C&t=", "t[]=%2C&t[]=", "t[0]=%2C&t[1]=", "t=%2C,"]))
    func escapesWhatIsInAnElement(style: FormStyle.ArrayStyle, expected: String) throws {
        #expect(try text([",", ""], style) == expected)
    }

    @Test(.spec(40), arguments: styles) func leavesOutAnEmptyArray(style: FormStyle.ArrayStyle) throws {
        #expect(try text([], style) == "")
        #expect(try text([NSNull()], style) == "")
    }

    @Test(arguments: styles) func fallsBackToPositions(style: FormStyle.ArrayStyle) throws {
        #expect(try text([["k": 1], ["k": 2]], style) == "t[0][k]=1&t[1][k]=2")
        #expect(try text(["a", ["k": "b"]], style) == "t[0]=a&t[1][k]=b")
    }

    @Test(arguments: zip(styles, ["t[0]=1&t[0]=2", "t[0][]=1&t[0][]=2", "t[0][0]=1&t[0][1]=2", "t[0]=1,2"]))
    func keepsTheStyleInsideAnArray(style: FormStyle.ArrayStyle, expected: String) throws {
        #expect(try text([[1, 2]], style) == expected)
    }

    @Test func canBeCompared() {
        #expect(Set(Self.styles).count == 4)
    }
}
