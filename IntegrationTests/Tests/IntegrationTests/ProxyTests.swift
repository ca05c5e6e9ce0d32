#if os(Linux)
import Foundation
import NetworkClient
import Testing

@Suite(.server(.nginx), .timeLimit(.minutes(2)))
struct ProxyTests {
    private static let authentication = ["BasicAuth user secret"]

    private func client(
        _ proxy: ServerProcess,
        user: String = "",
        except hosts: [String] = [],
        _ interceptors: [any InterceptorProtocol] = []
    ) throws -> NetworkClient {
        let place = try proxy.url("", host: user + "127.0.0.1")
        let transport = try CurlTransport(
            configuration: .init(proxy: .server(place, except: hosts), security: .ofTests)
        )
        return NetworkClient(transport: transport, interceptors: interceptors)
    }

    @Test(arguments: [NginxPort.plain, .tls], [[], Self.authentication])
    func aRequestGoesThroughTheProxy(port: NginxPort, configuration: [String]) async throws {
        let proxy = try await ServerProcess.start(.tinyproxy, configuration)
        let client = try client(proxy, user: configuration.isEmpty ? "" : "user:secret@")
        try await withThrowingTaskGroup(of: NginxEcho.self) { group in
            for number in 0..<20 {
                let request = URLRequest.post(url: try port.url("/echo?a=\(number)%2f"))
                    .bodyData(Data(count: 60_000)).build()
                group.addTask { try await client.fetch(request: request, as: NginxEcho.self).item }
            }
            for try await echo in group {
                #expect(echo.length == "60000" && echo.target?.hasSuffix("%2f") == true && echo.proxy == "")
                // In a tunnel, the proxy can't add a field.
                #expect(echo.via?.isEmpty == (port == .tls))
            }
        }
        let method = port == .tls ? "CONNECT localhost" : "POST http://127.0.0.1"
        #expect(proxy.log.contains(method), "\(proxy.log)")
    }

    @Test(arguments: ["", "user:wrong@"], [true, false])
    func aProxyThatWantsAnotherCredentialRefuses(user: String, isStreamed: Bool) async throws {
        let proxy = try await ServerProcess.start(.tinyproxy, Self.authentication)
        let client = try client(proxy, user: user, [.retry()])
        for port in [NginxPort.plain, .tls] {
            let request = URLRequest.get(url: try port.url("/echo")).build()
            let error = try await failure {
                if isStreamed {
                    _ = try await client.stream(request)
                } else {
                    try await client.fetch(request: request)
                }
            }
            // That is what tinyproxy says of a wrong credential.
            let status = user.isEmpty ? 407 : 401
            if case .requestError(let failure) = error {
                #expect(port == .tls && failure.reason == .proxyRefused && failure.proxyStatus?.rawValue == status)
            } else {
                #expect(port == .plain && error.statusCode == status)
            }
            #expect(!"\(error)".contains("wrong"))
        }
    }

    @Test func aTunnelToAPortThatTheProxyForbidsIsRefused() async throws {
        let proxy = try await ServerProcess.start(.tinyproxy, ["ConnectPort 563"])
        let error = try await failure {
            try await client(proxy, [.retry()]).fetch(.get(url: NginxPort.tls.url("/echo")))
        }
        guard case .requestError(let failure) = error else { throw error }
        #expect(failure.reason == .proxyRefused && failure.proxyStatus == 403)
    }

    /// The proxy's credential is for the proxy, the server's for its origin, through redirects of all kinds.
    @Test(arguments: [NginxPort.plain, .tls], [NginxPort.plain, .other, .tls])
    func noCredentialGoesAstrayBehindAProxy(start: NginxPort, target: NginxPort) async throws {
        guard start != .tls || target == .tls else { return }
        let proxy = try await ServerProcess.start(.tinyproxy, Self.authentication)
        let url = try start.url(target.redirect(307))
        let bearer: AuthenticationInterceptor = .authentication(.bearer("token"), origins: [url])
        let client = try client(proxy, user: "user:secret@", [bearer])
        let echo = try await client.fetch(.get(url: url), as: NginxEcho.self).item
        #expect(echo.authorization == (start == target ? "Bearer token" : ""))
        #expect(echo.proxy == "" && echo.via?.isEmpty == (target == .tls))
    }

    @Test func eachHopOfARedirectHasItsProxyOrNone() async throws {
        let proxy = try await ServerProcess.start(.tinyproxy)
        let client = try client(proxy, except: ["localhost"])
        let echo = try await client.fetch(
            .get(url: NginxPort.plain.url(NginxPort.tls.redirect(302))),
            as: NginxEcho.self
        )
        #expect(echo.item.protocol == "HTTP/2.0")
        #expect(proxy.log.contains("GET http://127.0.0.1") && !proxy.log.contains("CONNECT localhost"), "\(proxy.log)")
        let direct = try self.client(proxy, except: ["127.0.0.1"])
        let second = try await direct.fetch(
            .get(url: NginxPort.plain.url(NginxPort.tls.redirect(302))),
            as: NginxEcho.self
        )
        #expect(second.item.protocol == "HTTP/2.0" && proxy.log.contains("CONNECT localhost"))
    }

    @Test func aDownloadContinuesThroughTheProxy() async throws {
        let proxy = try await ServerProcess.start(.tinyproxy, Self.authentication)
        let client = try client(proxy, user: "user:secret@")
        let file = proxy.folder.appendingPathComponent("copy")
        let request = URLRequest.get(url: try NginxPort.plain.url("/slow/file.bin")).build()
        let download = client.download(request, to: file, isResumable: true)
        for await progress in download.progress where progress.completed > 0 { download.cancel() }
        await #expect(throws: CancellationError.self) { try await download.value }
        let rest = client.download(
            URLRequest.get(url: try NginxPort.plain.url("/file.bin")).build(),
            to: file,
            resuming: download.resumeToken
        )
        #expect(try await rest.value.statusCode == 206)
        let original = try ServerProcess.of(.nginx).folder.appendingPathComponent("file.bin")
        #expect(try Data(contentsOf: file) == Data(contentsOf: original))
    }
}
#endif
