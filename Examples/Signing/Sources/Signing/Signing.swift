import AWSSignature
import Foundation
import NetworkClient
import NetworkUtilities

/// Puts an object into a store that is busy at first and checks signatures.
@main
struct Signing {
    static func main() async {
        do {
            try await ObjectStore.run(key: key, visit)
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            exit(EXIT_FAILURE)
        }
    }

    private static let key = AWSKey(id: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")

    private static func visit(_ url: URL, _ store: ObjectStore) async throws {
        let signer = AWSSigner(key: key, region: "eu-central-1", service: "s3")
        let client = NetworkClient(
            baseURL: url,
            interceptors: [.retry(), .authentication(.aws(signer))]
        )
        let response = try await client.fetch(.put(path: "tea/green").bodyText("sencha"), as: String.self)
        for (number, signature) in await store.signatures.enumerated() {
            print("Attempt \(number + 1) was signed: \(signature)")
        }
        print(response.item)
    }
}
