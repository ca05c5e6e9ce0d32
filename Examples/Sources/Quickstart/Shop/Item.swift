import Foundation
import NetworkClient

/// A tea that the shop sells.
struct Item: Codable, Hashable, Sendable {
    let id: Int
    let name: String
    let taste: String
}

/// A customer's order: the body of `POST /orders`.
struct Order: Codable, Hashable, Sendable {
    let itemID: Int
    let grams: Int
    let giftWrapped: Bool
}

/// The shop's response to an ``Order``.
struct Receipt: Codable, Hashable, Sendable {
    let number: Int
    let item: String
    let grams: Int
}

/// A visitor's entry in the guestbook, as `POST /guestbook` parsed the form.
struct GuestbookEntry: Codable, Hashable, Sendable {
    let name: String
    let message: String
    let cups: Int
}

/// A recipe, as `POST /recipes` parsed the form with a title and a file.
struct Recipe: Codable, Hashable, Sendable {
    let title: String
    let file: String
    let type: String
    let text: String
}

/// A pot of tea.
struct Pot: Codable, Hashable, Sendable {
    let size: Int
}

/// The body of the shop's errors.
struct Problem: Codable, Hashable, Sendable {
    let code: String
    let id: Int
}

/// A request as it arrived at the server, which describes it in a header field of its response.
struct SeenRequest: Codable, Hashable, Sendable {
    static let field = "Seen-Request"

    let method: String
    let target: String
    let headers: [String: String]
    let body: String
}

extension SeenRequest {
    /// Reads the description in a response; nil if the server isn't the tour's.
    init?<Value>(_ response: NetworkClient.Response<Value>) {
        guard let text = response[Self.field], let json = Data(base64Encoded: text),
            let seen = try? JSONDecoder().decode(Self.self, from: json)
        else { return nil }
        self = seen
    }
}
