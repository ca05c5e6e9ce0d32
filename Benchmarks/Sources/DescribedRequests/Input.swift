import Foundation

/// What the requests are about; both authors get the same, and nothing of it is looked at by only one of them.
///
/// Reserved characters are those that Foundation's query items escape as well, so that both have the same escapes to
/// write.
enum Input {
    static let url = URL(string: "https://api.example.com/v1/items") ?? URL(fileURLWithPath: "/")
    static let token = "0123456789abcdef0123456789abcdef"
    static let search = "hello world & more"
    static let language = "el-GR"
    static let page = 2
    static let name = "Ada Lovelace"
    static let city = "Αθήνα"
    static let note = "a & b = c"
    static let item = Item(id: 17, name: "Ada Lovelace", price: 19.5, isActive: true, tags: ["x", "y"])
    static let picture = Data((0..<256).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    struct Item: Codable, Sendable {
        let id: Int
        let name: String
        let price: Double
        let isActive: Bool
        let tags: [String]
    }
}
