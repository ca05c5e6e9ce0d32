// expect: a JSON body is the step bodyJson(of: item)
import Foundation
import NetworkClient
import NetworkUtilities

func bodyAsAJSONStep(client: NetworkClient) async throws {
    try await client.fetch(.post(path: "/items").json(["name": "tea"]))
}
