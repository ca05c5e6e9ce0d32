// expect: a field with any name is .headers([.custom(name:
import Foundation
import NetworkClient
import NetworkUtilities

func headersOfAnInterceptor() {
    _ = NetworkClient(interceptors: [.headers(["X-Name": "value"])])
}
