// expect: a credential is given to .authentication, with its origins
import NetworkClient

func credentialAsAnInterceptor(token: String) -> NetworkClient {
    NetworkClient(interceptors: [.bearer(token)])
}
