// expect: a header field is the step set(header: .accept(type: .json))
import Foundation
import NetworkClient
import NetworkUtilities

func headerAsAPair(client: NetworkClient) async throws {
    try await client.fetch(.get(path: "/items").header("Accept", "application/json"))
}
