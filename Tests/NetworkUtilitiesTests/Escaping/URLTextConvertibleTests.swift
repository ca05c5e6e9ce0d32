@testable import NetworkUtilities

struct URLTextConvertibleTests {
    private enum Section: String, URLTextConvertible {
        case posts
        case photos = "my photos"
    }

    private enum Level: Int8, URLTextConvertible { case low = -1 }

    private struct Name: RawRepresentable, URLTextConvertible { let rawValue: Substring }

    private struct UserID: RawRepresentable, URLTextConvertible {
        let rawValue: Int
        var urlText: String { "u\(rawValue)" }
    }

    @Test(.spec(10)) func everyTypeHasTheURLTextOfItsKind() throws {
        let uuid = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        let relative = try #require(URL(string: "b", relativeTo: url("https://h/a")))
        let rows: [(any URLTextConvertible, String)] = [
            (Section.posts, "posts"), (Section.photos, "my photos"), (Level.low, "-1"), (Name(rawValue: "ada"), "ada"),
            (UserID(rawValue: 42), "u42"), (true, "true"), (false, "false"), (0, "0"), (Int8.min, "-128"),
            (Int16.min, "-32768"), (Int32.min, "-2147483648"), (Int64.min, "-9223372036854775808"),
            (Int.max, "9223372036854775807"), (UInt8.max, "255"), (UInt16.max, "65535"), (UInt32.max, "4294967295"),
            (UInt64.max, "18446744073709551615"), (UInt.max, "18446744073709551615"),
            (try #require(UUID(uuidString: uuid.lowercased())), uuid),
            (url("https://h/p?a=1#f"), "https://h/p?a=1#f"), (relative, "https://h/b"),
        ]
        for (value, text) in rows { expect(value.urlText, text) }
        for text in ["", "a b", "%41&=", "é\r\n\u{0}", "👩‍💻"] {
            expect(
                [text.urlText, "<\(text)>".dropFirst().dropLast().urlText, text.map(\.urlText).joined()],
                [text, text, text]
            )
        }
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        expect(Int128.min.urlText, "-170141183460469231731687303715884105728")
        expect(UInt128.max.urlText, "340282366920938463463374607431768211455")
    }

    private struct OrderID: URLTextConvertible, Codable {
        let number: Int
        var urlText: String { "o\(number)" }
    }

    private struct Order: Encodable { let id: OrderID }

    /// Codable as the identifiers of models are, which would be their properties.
    @Test(.spec(320)) func aValueHasOneTextInEveryPartOfARequest() throws {
        let id = OrderID(number: 7)
        let (get, post) = (URLRequest.get(url: url("https://h")), URLRequest.post(url: url("https://h")))
        let base = url("https://h")
        expect(try RequestPath("/\(id)").resolved(against: base).absoluteString, "https://h/o7")
        let template = try RequestPath.template("/{id}", variables: ["id": id])
        expect(try template.resolved(against: base).absoluteString, "https://h/o7")
        let queries = [
            get.query(["id": id]), get.add(query: "id", value: id),
            try get.query { try QueryItem.items(params: ["id": id]) },
            try get.query { try QueryItem.items(of: Order(id: id)) },
        ]
        expect(queries.map { $0.build().query }, Array(repeating: "id=o7", count: 4))
        let bodies = [try post.bodyForm(params: ["id": id]), try post.bodyForm(of: Order(id: id))]
        expect(bodies.map { $0.build().httpBody }, Array(repeating: Data("id=o7".utf8), count: 2))
    }
}
