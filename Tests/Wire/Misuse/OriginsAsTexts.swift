// expect: a credential is given to .authentication, with its origins
import Foundation
import NetworkClient
import NetworkUtilities

func originsAsTexts() {
    _ = NetworkClient(interceptors: [.authentication(.bearer("token"), origins: ["https://example.com"])])
}
