#if os(Linux)
import Foundation

/// A model as services send it.
struct Order: Decodable, Equatable {
    enum State: String, Decodable { case open, shipped }
    struct Customer: Decodable, Equatable {
        var name: String
        var email: String?
        var homePage: URL?
    }
    struct Line: Decodable, Equatable {
        var articleID: Int
        var count: UInt8
        var price: Decimal
        var discount: Float?
    }

    var id: Int
    var state: State
    var customer: Customer
    var lines: [Line]
    var tags: [String]
    var totals: [String: Double]
    var stock: [Int: Int]
    var note: String?
    var isGift: Bool
    var signature: Data?
    var placedAt: Date
    var ratio: Double

    static let json = """
        {"id": 17, "state": "open", "customer": {"name": "Zoë \\u00e9\\ud83d\\ude00", "email": null, \
        "homePage": "https://example.com/a?b=c"}, "lines": [{"articleID": 1, "count": 200, "price": 12.34}, \
        {"articleID": -2, "count": 3, "price": 1e3, "discount": 0.25}], "tags": ["a", "b\\n\\"c\\"", ""], \
        "totals": {"net": 1.5, "gross": -0.0}, "stock": {"1": 2, "-3": 4}, "note": "x\\/y", "isGift": false, \
        "signature": "AQID/w==", "placedAt": 700000000.25, "ratio": 0.30000000000000004}
        """
}

extension Order {
    /// The same in snake case, with a date in ISO 8601.
    static let snakeCaseJSON =
        json
        .replacing("homePage", with: "home_page").replacing("isGift", with: "is_gift")
        .replacing("articleID", with: "article_iD").replacing("700000000.25", with: "\"2024-01-02T03:04:05Z\"")
}
#endif
