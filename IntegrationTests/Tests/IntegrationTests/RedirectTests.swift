import Foundation
import NetworkClient
import Testing

/// Redirects between the ports of nginx, each of which is an origin.
@Suite(.server(.nginx), .timeLimit(.minutes(2)))
struct RedirectTests {
    /// Ways to pass the secret.
    enum Secret: String, CaseIterable, Sendable {
        case bearer, basic, apiKey, ownField, ownCookie, userInfo

        func client(for url: URL) throws -> NetworkClient {
            let scheme: AuthenticationScheme? =
                switch self {
                case .bearer: .bearer("secret")
                case .basic: try .basic(user: "user", password: "secret")
                case .apiKey: .apiKey("secret")
                case .ownField, .ownCookie, .userInfo: nil
                }
            return try .forTests(scheme.map { [.authentication($0, origins: [url])] } ?? [])
        }

        func request(_ port: NginxPort, _ path: String) throws -> URLRequest {
            let url = try port.url(path, userInfo: self == .userInfo ? "user:secret@" : "")
            let request = URLRequest.get(url: url)
            return switch self {
            case .ownField: request.set(header: .authorization(.bearer("secret"))).build()
            case .ownCookie: request.set(header: .custom(name: "Cookie", value: "session=secret")).build()
            case .bearer, .basic, .apiKey, .userInfo: request.build()
            }
        }

        func isSeen(in echo: NginxEcho) -> Bool {
            let texts = [echo.authorization, echo.cookie, echo.apiKey, echo.proxy]
            return texts.contains { $0?.isEmpty == false }
        }
    }

    @Test(arguments: Secret.allCases, [301, 302, 303, 307, 308])
    func aSecretStaysWithinItsOrigin(secret: Secret, status: Int) async throws {
        let client = try secret.client(for: NginxPort.plain.url("/"))
        for (target, isSeen) in [(NginxPort.plain, true), (.other, false), (.tls, false)] {
            let request = try secret.request(.plain, target.redirect(status))
            let echo = try await client.fetch(request: request, as: NginxEcho.self).item
            #expect(echo.port == (try target.url("/").port))
            // The authority of the redirect has no user (RFC 3986 §5.2.2).
            #expect(secret.isSeen(in: echo) == (isSeen && secret != .userInfo), "\(target): \(echo)")
        }
    }

    /// The server in between has chosen the target.
    @Test(arguments: Secret.allCases)
    func aSecretThatWasWithheldDoesNotReturn(secret: Secret) async throws {
        let client = try secret.client(for: NginxPort.plain.url("/"))
        let path = NginxPort.other.redirect(302, to: NginxPort.plain.redirect(302))
        let echo = try await client.fetch(request: secret.request(.plain, path), as: NginxEcho.self).item
        #expect(echo.port == (try NginxPort.plain.url("/").port) && !secret.isSeen(in: echo), "\(echo)")
    }

    @Test(arguments: [Secret.basic, .userInfo])
    func aChallengeOfAnotherOriginIsNotMet(secret: Secret) async throws {
        let client = try secret.client(for: NginxPort.plain.url("/"))
        let text = try await client.fetch(request: secret.request(.plain, "/private"), as: String.self).item
        #expect(text == "hello")
        let request = try secret.request(.plain, NginxPort.other.redirect(302, to: "/private"))
        #expect(try await failure { try await client.fetch(request: request) }.status == .unauthorized)
    }

    @Test func aRedirectFromTLSToPlainTextIsRefused() async throws {
        let error = try await failure {
            try await NetworkClient.forTests().fetch(.get(url: NginxPort.tls.url(NginxPort.plain.redirect(302))))
        }
        guard case .requestError(let failure) = error else { throw error }
        #expect(failure.reason == .redirectRefused)
    }

    /// RFC 6265 §8.5: cookies belong to a host, whatever the port.
    @Test func eachHopHasTheCookiesOfItsHost() async throws {
        let store = CookieStore()
        let client = try NetworkClient.forTests(configuration: .init(cookies: store))
        let ports = try [NginxPort.plain, .other].map { try $0.url("/").port ?? 0 }
        let first = try await client.fetch(.get(url: NginxPort.plain.url("/set-cookie")), as: NginxEcho.self).item
        #expect(first.cookie == "session=\(ports[0])")
        let path = NginxPort.other.redirect(303, to: "/set-cookie")
        let second = try await client.fetch(.get(url: NginxPort.plain.url(path)), as: NginxEcho.self).item
        #expect(second.port == ports[1] && second.cookie == "session=\(ports[1])")
        #expect(store.cookies.map(\.value) == ["\(ports[1])"])
        // The other host is `localhost`.
        let third = NginxPort.tls.redirect(302)
        let echo = try await client.fetch(.get(url: NginxPort.plain.url(third)), as: NginxEcho.self).item
        #expect(echo.cookie == "")
    }

    @Test(
        arguments: ["POST", "PUT", "PATCH", "DELETE"],
        [(301, false), (302, false), (303, false), (307, true), (308, true)]
    )
    func aBodyFollowsWhereTheStatusDemandsIt(method: String, row: (status: Int, isKept: Bool)) async throws {
        let client = try NetworkClient.forTests()
        for target in [NginxPort.other, .tls] {
            let url = try NginxPort.plain.url(target.redirect(row.status, to: "/sink"))
            let request = URLRequest.method(try HTTPMethod(method), url: url).bodyData(
                Data(count: 300_000),
                type: .json
            )
            .build()
            let echo = try await client.fetch(request: request, as: NginxEcho.self).item
            let isKept = row.isKept || method != "POST" && row.status != 303
            #expect(echo.method == (isKept ? method : "GET"))
            #expect(echo.length == (isKept ? "300000" : "") && echo.contentType == (isKept ? "application/json" : ""))
        }
    }

    @Test func aFileIsUploadedAgainToTheTargetOfARedirect() async throws {
        let client = try NetworkClient.forTests()
        let file = try ServerProcess.of(.nginx).folder.appendingPathComponent("file.bin")
        let start = try NginxPort.plain.url(NginxPort.tls.redirect(307, to: "/files/moved"))
        let upload = try client.upload(.put(url: start).bodyFile(at: file))
        var last: TransferProgress?
        for await progress in upload.progress { last = progress }
        #expect(try await upload.value.status == .created)
        let data = try Data(contentsOf: file)
        #expect(last?.fraction == 1 && last?.total == data.count)
        let copy = try await client.fetch(.get(url: NginxPort.other.url("/files/moved")), as: Data.self)
        #expect(copy.item == data)
    }
}
