@testable import NetworkClient
import NetworkClientTesting
@testable import NetworkUtilities

/// One random walk: persons sign in and out, time passes, and calls are made, whose responses obey the ``WalkLaw``.
final class CacheWalk {
    private let server = NamingServer()
    private let clock = TestClock()
    private let cache: ResponseCache
    private let sessions: [TokenSession]
    private let clients: [NetworkClient]
    private var random: SeededGenerator
    /// The paths and the credentials of this walk, which are few, so that they meet.
    private let paths: [String]
    private let credentials: [[String: String]]
    private var persons: [String?] = [nil, nil]
    private var signIns = 0
    private var written: [String: Int] = [:]
    /// How often something happened.
    private(set) var counts: [String: Int] = [:]
    private(set) var faults: [String] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        let shuffled = NamingServer.resources.keys.sorted().shuffled(using: &random)
        paths = Array(shuffled.prefix(2) + shuffled.filter { $0.hasSuffix("lenient") }.prefix(1))
        credentials = Array(Self.allCredentials.shuffled(using: &random).prefix(3))
        let (server, clock) = (server, clock)
        cache = ResponseCache()
        let cache = cache
        sessions = [0, 1].map { _ in
            TokenSession(policy: .init(limit: 1_000)) { old in
                guard server.state.withLock(\.canRefresh) else { throw TransportError(.connectionRefused) }
                let parts = old.value.split(separator: ".")
                return server.token(String(parts[0]), number: (Int(parts[1]) ?? 0) + 1)
            }
        }
        clients = sessions.map { session in
            NetworkClient(
                transport: server.transport(),
                interceptors: [
                    .circuitBreaker(.init(minimumRequests: 4, openTime: 20)),
                    .authentication(.bearer(session), origins: [url("https://h.example")], requirement: .optional),
                ],
                logging: .off,
                configuration: .init(cache: cache, time: WalkClock(server: server, clock: clock))
            )
        }
    }

    func run(steps: Int) async {
        for _ in 0..<steps where faults.isEmpty {
            await step()
            while cache.flightCount > 0 || clients.contains(where: { $0.calls.count > 0 }) { await Task.yield() }
        }
        for path in ["/moved", "/public/moved", "/away"] {
            let count = server.state.withLock { $0.requestCounts["h.example" + path] ?? 0 }
            counts["redirects from the cache", default: 0] -= count
        }
    }

    private func step() async {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<3: await signIn()
        case 3: await signOut(.random(in: 0...1, using: &random))
        case 4..<6: advance()
        case 6: refuseTokens()
        case 7: toggleOutage()
        case 8: await write()
        case 9..<11: await atOnce()
        case 11..<14: await overlapping()
        default: for _ in 0..<2 { note(await outcome(of: call())) }
        }
    }

    // MARK: - Persons and time

    private func signIn() async {
        let (index, name) = (Int.random(in: 0...1, using: &random), ["ada", "bob"].randomElement(using: &random) ?? "")
        signIns += 1
        // The same person with a new token is still the same one; after a sign-out, everybody is another one.
        let isSame = persons[index]?.hasPrefix(name) == true
        let person = isSame ? persons[index] ?? "" : "\(name)-\(signIns)"
        persons[index] = person
        try? await sessions[index].setToken(server.token(person, number: signIns * 100), person: name)
    }

    private func signOut(_ index: Int) async {
        persons[index] = nil
        try? await sessions[index].signOut()
    }

    private func advance() {
        let lengths: [Double] = [1, 15, 25, 70, 500, 5_000]
        let seconds = lengths.randomElement(using: &random) ?? 0
        server.state.withLock { $0.time += seconds }
        if Bool.random(using: &random) { clock.advance(by: seconds) }
    }

    private func toggleOutage() {
        let isOfTokens = Int.random(in: 0..<3, using: &random) == 0
        server.state.withLock { state in
            if isOfTokens { state.canRefresh.toggle() } else { state.isDown.toggle() }
        }
    }

    private func refuseTokens() { server.state.withLock { $0.refusedTokens = $0.tokens } }

    private func write() async {
        var write = call()
        write.method = "PUT"
        note(await outcome(of: write))
    }

    // MARK: - Calls

    private static let allCredentials: [[String: String]] = [
        [:], ["Authorization": "Bearer eve"], ["Authorization": "Bearer joe"], ["X-API-Key": "kim"],
        ["X-API-Key": "lea"], ["Cookie": "max"], ["X-API-Key": "kim", "Cookie": "max"], ["": "ulf"],
    ]

    private func call() -> WalkCall {
        var call = WalkCall(client: .random(in: 0...1, using: &random))
        call.path = paths.randomElement(using: &random) ?? ""
        call.language = Bool.random(using: &random) ? "de" : "en"
        if Int.random(in: 0..<10, using: &random) == 0 { call.method = "HEAD" }
        call.hasSession = Int.random(in: 0..<3, using: &random) > 0
        if !call.hasSession || Int.random(in: 0..<8, using: &random) == 0 {
            call.fields = credentials.randomElement(using: &random) ?? [:]
            call.user = call.fields.removeValue(forKey: "")
        }
        call.tenant = [nil, nil, "north", "south"].randomElement(using: &random) ?? nil
        call.limit = Int.random(in: 0..<3, using: &random) == 0 ? 30 : nil
        call.isShared = Int.random(in: 0..<4, using: &random) == 0
        switch Int.random(in: 0..<20, using: &random) {
        case 0: call.control = "max-stale"
        case 1: call.control = "no-cache"
        case 2: call.policy = .returnCacheDataElseLoad
        case 3: call.policy = .reloadIgnoringLocalCacheData
        default: break
        }
        return call
    }

    /// Returns what is known now, for a call that starts now.
    private func moment(_ call: WalkCall) -> WalkMoment {
        var request = call.request
        if call.hasSession, request.value(forHTTPHeaderField: "Authorization") == nil {
            request.setValue(persons[call.client].map { "Bearer \($0)" }, forHTTPHeaderField: "Authorization")
        }
        return WalkMoment(person: NamingServer.person(of: request), now: server.now, written: written)
    }

    private struct Outcome: Sendable {
        let call: WalkCall
        let start: WalkMoment
        let result: Result<NetworkClient.Response<String>, any Error>
    }

    private func outcome(of call: WalkCall) async -> Outcome { await begin(call).value }

    private func begin(_ call: WalkCall, then end: Gate? = nil) -> Task<Outcome, Never> {
        let (start, client) = (moment(call), clients[call.client])
        var options = CallOptions()
        if !call.hasSession { options.authentication = .none }
        options.attemptTimeout = call.limit
        return Task { [options] in
            defer { end?.open() }
            do {
                let response: NetworkClient.Response<String> = try await client.fetch(
                    request: call.request,
                    options: options
                )
                return Outcome(call: call, start: start, result: .success(response))
            } catch {
                return Outcome(call: call, start: start, result: .failure(error))
            }
        }
    }

    /// Some calls that run at the same time, of which one may be a write.
    private func atOnce() async {
        var calls = (0..<4).map { _ in call() }
        for index in calls.indices.dropFirst() where Bool.random(using: &random) {
            calls[index].path = calls[0].path
        }
        if Int.random(in: 0..<3, using: &random) == 0 { calls[3].method = "PUT" }
        let tasks = calls.map { begin($0) }
        for task in tasks { note(await task.value) }
    }

    /// A call whose response the server holds back while something else happens.
    private func overlapping() async {
        var first = call()
        (first.isHeld, first.isShared) = (true, Bool.random(using: &random))
        // Without a person, it would be sent as the person who signs in before a redirect.
        if persons[first.client] == nil { first.hasSession = false }
        let (arrival, release) = (Gate(), Gate())
        server.state.withLock { $0.holding = (arrival, release) }
        let task = begin(first, then: arrival)
        try? await arrival.wait()
        var others: [Task<Outcome, Never>] = []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            switch Int.random(in: 0..<7, using: &random) {
            case 0: await signOut(first.client)
            case 1: await signIn()
            case 2: advance()
            case 3: await write()
            case 4: refuseTokens()
            case 5: if Int.random(in: 0..<3, using: &random) == 0 { task.cancel() }
            default: note(await outcome(of: call()))
            }
        }
        others.append(begin(Bool.random(using: &random) ? first : call()))
        release.open()
        note(await task.value)
        for task in others { note(await task.value) }
    }

    // MARK: - What happened

    private func note(_ outcome: Outcome) {
        let (call, start) = (outcome.call, outcome.start)
        if NamingServer.resource(call.path).location != nil { counts["redirects from the cache", default: 0] += 1 }
        switch outcome.result {
        case .failure(let error):
            counts["errors", default: 0] += 1
            switch error {
            case let error as AuthenticationError: counts["\(error.reason)", default: 0] += 1
            case is CircuitOpenError: counts["open circuits", default: 0] += 1
            case NetworkClient.Error.requestError(let error): counts["\(error.reason)", default: 0] += 1
            default: break
            }
        case .success(let response):
            if call.method == "PUT" { written["h.example" + call.path, default: 1] += 1 }
            let confirmed = server.state.withLock { $0.confirmed }
            if let fault = WalkLaw.fault(response, call, start, confirmed) {
                faults.append("\(fault): \(response.cacheStatus as Any) \(call), \(start) \(response.journey)")
            }
            count(response, call, start)
        }
    }

    private func count(_ response: NetworkClient.Response<String>, _ call: WalkCall, _ start: WalkMoment) {
        let status = response.cacheStatus.map { "\($0)" } ?? "none"
        counts["\(call.method) \(status)", default: 0] += 1
        if call.method == "GET", !response.item.hasPrefix("\(start.person)|") {
            counts["\(status) of another", default: 0] += 1
        }
        if response.journey.steps.contains(where: { $0.kind == .sharing }) { counts["shared", default: 0] += 1 }
        if response.journey.attempts > 1 { counts["after a refresh", default: 0] += 1 }
    }
}

/// The clock of a machine that sleeps: its calendar, which is the server's, goes on while it stands still.
private struct WalkClock: TimeSource {
    let server: NamingServer
    let clock: TestClock

    var now: TimeInterval { clock.now }
    var date: Date { server.now }

    func sleep(seconds: TimeInterval) async throws { try await clock.sleep(seconds: seconds) }
}
