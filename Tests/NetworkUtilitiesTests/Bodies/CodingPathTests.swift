import NetworkUtilities
import Testing

struct CodingPathTests {
    private struct Key: CodingKey, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        let stringValue: String
        let intValue: Int?

        init(stringLiteral value: String) {
            self.init(stringValue: value)
        }

        init(integerLiteral value: Int) {
            self.init(intValue: value)
        }

        init(stringValue: String) {
            self.stringValue = stringValue
            intValue = nil
        }

        init(intValue: Int) {
            stringValue = "Index \(intValue)"
            self.intValue = intValue
        }
    }

    private static let table: [([Key], String)] = [
        ([], ""), (["name"], "name"), (["posts", 3, "title"], "posts[3].title"), ([0, 1], "[0][1]"),
        (["größe", "$ref", "@id", "x-y", "a_b"], "größe.$ref.@id.x-y.a_b"), (["a", "b.c", "d"], #"a["b.c"].d"#),
        ([""], #"[""]"#), (["a[0]"], #"["a[0]"]"#), (["a\nb"], #"["a\nb"]"#), (["\""], #"["\""]"#),
    ]

    @Test(arguments: table.indices)
    func rendersKeysWithDotsAndIndicesInBrackets(row: Int) {
        let (keys, text) = Self.table[row]
        #expect(CodingPath(keys).description == text)
    }

    @Test func cutsAKeyOfExcessiveLength() {
        let path = CodingPath([Key(stringValue: String(repeating: "k", count: 1_000_000)), "b"])
        #expect(path.description == "[\"" + String(repeating: "k", count: 64) + "\"…].b")
    }
}
