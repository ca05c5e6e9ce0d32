@testable import NetworkClient
import NetworkClientTesting
@testable import NetworkUtilities

/// A server whose responses name the person whose credentials their requests had.
///
/// Its validators are those of careless servers: they are the same for every person.
final class NamingServer: Sendable {
    /// What the server has at one path, and what it allows caches to do with it.
    struct Resource: Sendable {
        enum Validator { case none, tag, weakTag, date }

        let control: String
        var validator = Validator.tag
        var variesByLanguage = false
        var location: (@Sendable (_ person: String) -> String)?

        var isPublic: Bool { control.hasPrefix("public") }
        /// Seconds, of the first directive that ends with this name.
        func seconds(_ name: String) -> Double {
            let argument = control.components(separatedBy: "\(name)=").dropFirst().first
            return argument.flatMap { Double($0.prefix { $0.isNumber }) } ?? 0
        }
    }

    static let resources: [String: Resource] = [
        "/private": Resource(control: "private, max-age=60", validator: .date),
        "/plain": Resource(control: "max-age=60"),
        "/weak": Resource(control: "max-age=20", validator: .weakTag),
        "/checked": Resource(control: "no-cache"),
        "/secret": Resource(control: "no-store, max-age=60"),
        "/lenient": Resource(control: "max-age=20, stale-while-revalidate=600, stale-if-error=600"),
        "/errors/lenient": Resource(control: "max-age=20, stale-if-error=600"),
        "/strict": Resource(control: "max-age=20, must-revalidate, stale-if-error=600", validator: .date),
        "/public": Resource(control: "public, max-age=60"),
        "/public/lenient": Resource(control: "public, max-age=20, stale-while-revalidate=600, stale-if-error=600"),
        "/public/strict": Resource(control: "public, max-age=60, must-revalidate", validator: .none),
        "/public/private": Resource(control: "public, private, max-age=60", validator: .date),
        "/language": Resource(control: "public, max-age=60", variesByLanguage: true),
        "/language/date": Resource(control: "max-age=20", validator: .date, variesByLanguage: true),
        "/moved": Resource(control: "max-age=60", location: { "/of/\($0)" }),
        "/public/moved": Resource(control: "public, max-age=60", location: { _ in "/plain" }),
        "/away": Resource(control: "max-age=60", location: { _ in "https://other.example/plain" }),
    ]

    static func resource(_ path: String) -> Resource { resources[path] ?? Resource(control: "max-age=60") }

    struct State {
        /// Seconds since the start.
        var time = 0.0
        var versions: [String: Int] = [:]
        /// The number of the newest token of each person, and of the newest one that is refused.
        var (tokens, refusedTokens): ([String: Int], [String: Int]) = ([:], [:])
        var isDown = false
        /// Whether the tokens' own server refuses connections.
        var canRefresh = true
        var requestCounts: [String: Int] = [:]
        /// What the server has confirmed, without its body, and to whom.
        var confirmed: Set<String> = []
        /// What requests with the field `X-Held` open when they arrive, and wait for before they get their responses.
        var holding: (arrival: Gate, release: Gate)?

        mutating func refusesToken(of request: URLRequest) -> Bool {
            let token = request.value(forHTTPHeaderField: "Authorization")?.split(separator: ".") ?? []
            guard token.count == 2 else { return false }
            let (name, number) = (String(token[0]), Int(token[1]) ?? 0)
            tokens[name] = max(number, tokens[name] ?? 0)
            return number <= refusedTokens[name] ?? -1
        }
    }

    let state = Locked(State())
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    var now: Date { Self.start + state.withLock { $0.time } }

    func transport() -> ClosureTransport {
        ClosureTransport { request, _ in
            let (response, holding) = try self.state.withLock { state in
                let response = try Self.response(to: request, &state)
                return (response, request.value(forHTTPHeaderField: "X-Held") == nil ? nil : state.holding)
            }
            holding?.arrival.open()
            try await holding?.release.wait()
            return response
        }
    }

    /// Returns a token for a person that expires in 200 seconds of the server's calendar.
    func token(_ person: String, number: Int) -> AccessToken {
        AccessToken("\(person).\(number)", expiry: now + 200)
    }

    /// Returns the person of the credentials of a request, with the tenant for whom they ask.
    static func person(of request: URLRequest) -> String {
        let token = request.value(forHTTPHeaderField: "Authorization")
        let name = token.map { String($0.dropFirst("Bearer ".count).prefix { $0 != "." }) }
        let others = ["X-API-Key", "Cookie"].map { request.value(forHTTPHeaderField: $0) }
        let names = ([name] + others + [request.url?.user]).compactMap(\.self)
        // Without a credential, and not private, a response is for everybody whom `Vary` does not exclude.
        let isApart = !names.isEmpty || resource(request.url?.path ?? "").control.contains("private")
        let tenant = isApart ? request.value(forHTTPHeaderField: "X-Tenant-Id") : nil
        return (names.isEmpty ? "nobody" : names.joined(separator: "+")) + (tenant.map { "@\($0)" } ?? "")
    }

    private static func response(to request: URLRequest, _ state: inout State) throws -> TransportResponse {
        guard let url = request.url, let host = url.host else { throw TransportError(.invalidURL) }
        let (path, resource) = (host + url.path, resource(url.path))
        state.requestCounts[path, default: 0] += 1
        if state.refusesToken(of: request) { return try made(401, [], url) }
        if state.isDown { return try made(503, [], url) }
        if request.httpMethod == "PUT" {
            state.versions[path, default: 1] += 1
            return try made(204, [], url)
        }
        let person = person(of: request)
        let (version, language) = (
            state.versions[path, default: 1], request.value(forHTTPHeaderField: "Accept-Language") ?? ""
        )
        let date = start + state.time
        var head: [(String, String?)] = [("Date", HTTPDate.text(of: date)), ("Cache-Control", resource.control)]
        let tag = "\"\(version)\(resource.variesByLanguage ? language : "")\""
        let modified = HTTPDate.text(of: start - Double(1_000_000 - version))
        switch resource.validator {
        case .none: break
        case .tag: head.append(("ETag", tag))
        case .weakTag: head.append(("ETag", "W/\(tag)"))
        case .date: head.append(("Last-Modified", modified))
        }
        if resource.variesByLanguage { head.append(("Vary", "Accept-Language")) }
        let isSameTag = request.value(forHTTPHeaderField: "If-None-Match").map { $0.contains(tag) }
        let isSameDate = modified != nil && request.value(forHTTPHeaderField: "If-Modified-Since") == modified
        let isConfirmed = isSameTag ?? isSameDate
        if isConfirmed || request.httpMethod == "HEAD" { state.confirmed.insert("\(person)|\(path)|\(version)") }
        if isConfirmed { return try made(304, head, url) }
        let location = resource.location?(person)
        let body = [person, path, language, "\(version)"].joined(separator: "|")
        return try made(
            location == nil ? 200 : 301,
            head + [("Location", location)],
            url,
            body: request.httpMethod == "HEAD" ? "" : body
        )
    }

    private static func made(
        _ status: Int,
        _ fields: [(String, String?)],
        _ url: URL,
        body: String = ""
    ) throws -> TransportResponse {
        let fields = fields.compactMap { name, value in value.map { ResponseFields.Field(name: name, value: $0) } }
        let response = TransportResponse(
            url: url,
            status: status,
            fields: ResponseFields(fields),
            data: Data(body.utf8)
        )
        guard let response else { throw TransportError(.malformedResponse) }
        return response
    }
}
