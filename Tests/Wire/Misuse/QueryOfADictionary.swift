// expect: a dictionary of texts is add(queryItems:)
import Foundation
import NetworkClient
import NetworkUtilities

func queryOfADictionary(client: NetworkClient) async throws {
    try await client.fetch(.get(path: "/items").add(query: ["page": 1]))
}
