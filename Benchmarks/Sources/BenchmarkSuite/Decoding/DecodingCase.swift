import Foundation
import NetworkClient

/// A text that both decoders decode as the same type, and how much faster the library is to be.
struct DecodingCase: Sendable {
    let name: String
    let goal: Double
    let byteCount: Int
    /// Whether both decode the same value.
    let isSame: @Sendable () throws -> Bool
    /// The library, then `JSONDecoder`.
    let variants: [Variant]

    init<Value: Decodable & Equatable & SendableMetatype>(
        _ name: String,
        _ type: Value.Type,
        _ text: String,
        keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys,
        goal: Double
    ) {
        let (json, foundation) = (Data(text.utf8), JSONDecoder())
        foundation.keyDecodingStrategy = keys
        let library = DefaultDecoder(decoder: foundation)
        self.name = name
        self.goal = goal
        byteCount = json.count
        isSame = { try library.decode(data: json) == foundation.decode(type, from: json) }
        variants = [
            Variant("\(name), DefaultDecoder") { count in
                for _ in 0..<count { keep(try library.decode(data: json) as Value) }
            },
            Variant("\(name), JSONDecoder") { count in
                for _ in 0..<count { keep(try foundation.decode(type, from: json)) }
            },
        ]
    }

    static let plain = [
        DecodingCase("small", Item.self, item(1), goal: 3),
        DecodingCase("page", Page.self, page, goal: 4.5),
        DecodingCase("strings", [Text].self, texts, goal: 2.5),
        DecodingCase("numbers", [Sample].self, samples, goal: 8),
        DecodingCase("[String: Int]", [String: Int].self, counts, goal: 6),
    ]

    private static func item(_ id: Int) -> String {
        """
        {"id": \(id), "title": "Item number \(id)", "price": \(id * 37 % 1000).\(id % 9)5, "inStock": \(id % 3 > 0), \
        "tags": ["a\(id)", "b\(id)"], "vendor": {"name": "Vendor \(id)", "rating": \(id % 5).5}}
        """
    }

    private static let page =
        #"{"page": 1, "total": 72, "items": [\#((1...72).map(item).joined(separator: ", "))]}"#

    private static let texts: String = {
        let sentence = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt. "
        let body = String(repeating: sentence, count: 5)
        let texts = (0..<200).map { index in
            let end = [#"line\nline \"q\""#, "日本語テキスト", "", ""][index % 4]
            return #"{"title": "Post \#(index) — über", "body": "\#(body)\#(end)", "author": "a\#(index)@example.com"}"#
        }
        return "[\(texts.joined(separator: ", "))]"
    }()

    private static let samples: String = {
        let samples = (1...300).map { index in
            let (x, y) = (Double(index) * 1.2345678901 / 7, -180 / Double(index))
            let n = (0..<16).map { "\($0 * index * 977)" }.joined(separator: ",")
            let v = (0..<8).map { "\(Double($0 * index) / 100)" }.joined(separator: ",")
            return #"{"t":\#(1_700_000_000 + index),"x":\#(x),"y":\#(y),"n":[\#(n)],"v":[\#(v)]}"#
        }
        return "[\(samples.joined(separator: ","))]"
    }()

    private static let counts = "{\((0..<500).map { #""key_\#($0)":\#($0 * 7919)"# }.joined(separator: ","))}"
}

private struct Item: Decodable, Equatable {
    struct Vendor: Decodable, Equatable {
        var name: String
        var rating: Double
    }

    var id: Int
    var title: String
    var price: Double
    var inStock: Bool
    var tags: [String]
    var vendor: Vendor
}

private struct Page: Decodable, Equatable {
    var page: Int
    var total: Int
    var items: [Item]
}

private struct Text: Decodable, Equatable {
    var title: String
    var body: String
    var author: String
    var note: String?
}

private struct Sample: Decodable, Equatable {
    var t: Int
    var x: Double
    var y: Double
    var n: [Int]
    var v: [Double]
}
