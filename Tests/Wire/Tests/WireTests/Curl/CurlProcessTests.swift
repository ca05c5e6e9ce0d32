#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The effects of libcurl on its process; each test has its own process.
struct CurlProcessTests {
    /// The moments at which a server resets a connection.
    enum Moment: String, CaseIterable, Codable, Sendable {
        case upload, request, idling

        /// Returns the server's script for a request that is not the first on its connection, or is an upload.
        func server(_ idle: Gate) throws -> LoopbackServer {
            try LoopbackServer(tls: TLSConfiguration(), recording: .withoutBodies) { request in
                self == .upload && request.method == "POST" || self == .request && request.indexOnConnection > 0
                    ? .final([.reset]) : .none
            } handler: { _ in
                self == .idling ? [.respond(), .wait(idle), .reset] : .respond()
            }
        }
    }

    /// Sends over connections that are reset, again and again, and closes them all.
    private static func meetResets(_ moment: Moment) async throws {
        signal(SIGPIPE, SIG_DFL)
        for _ in 0..<5 {
            let idle = Gate()
            let server = try moment.server(idle)
            let configuration = CurlTransport.Configuration(security: .init(trustRoots: TLSFixtures.root))
            let client = NetworkClient(transport: try CurlTransport(configuration: configuration), logging: .off)
            let first = await client.outcome(of: URLRequest(url: server.url("/first")))
            #expect(first == .answered(200))
            idle.open()
            if moment == .idling { try await server.waitForOpenConnections(0) }
            var request = URLRequest(url: server.url("/second"))
            if moment == .upload {
                request.httpMethod = "POST"
                request.httpBody = Data(count: 20 << 20)
            }
            let second = await client.outcome(of: request)
            // libcurl sends an idempotent request again.
            #expect(second == (moment == .upload ? .failed(.connectionLost) : .answered(200)))
        }
        // The handling of the signal is unchanged, for programs that are meant to end with it.
        var action = sigaction()
        var blocked = sigset_t()
        #expect(sigaction(SIGPIPE, nil, &action) == 0 && action.__sigaction_handler.sa_handler == nil)
        #expect(pthread_sigmask(SIG_BLOCK, nil, &blocked) == 0 && sigismember(&blocked, SIGPIPE) == 0)
    }

    @Test(
        .spec(175),
        .enabled(if: TLSConfiguration.isAvailable, "there is no OpenSSL here"),
        arguments: Moment.allCases
    )
    func aResetUnderTLSDoesNotEndTheProcess(moment: Moment) async {
        await #expect(processExitsWith: .success) { [moment] in
            try await CurlProcessTests.meetResets(moment)
        }
    }

    /// Sends to a new server with a new client.
    private static func newConnectionIsMade() async throws -> Bool {
        let configuration = CurlTransport.Configuration(security: .init(trustRoots: TLSFixtures.root))
        // Before the server, which uses OpenSSL as well.
        let client = NetworkClient(transport: try CurlTransport(configuration: configuration), logging: .off)
        let server = try LoopbackServer(tls: TLSConfiguration()) { _ in .respond() }
        return await client.outcome(of: URLRequest(url: server.url)) == .answered(200)
    }

    @Test(.enabled(if: TLSConfiguration.isAvailable, "there is no OpenSSL here"))
    func tlsWorksUntilTheEndOfTheProcess() async {
        await #expect(processExitsWith: .exitCode(7)) {
            // Handlers run in reverse: those of libcurl's libraries, which are registered later, before this one.
            atexit {
                let isOver = DispatchSemaphore(value: 0)
                Task {
                    if try await CurlProcessTests.newConnectionIsMade() { _exit(7) }
                    isOver.signal()
                }
                _ = isOver.wait(timeout: .now() + 60)
            }
            let isMade = try await CurlProcessTests.newConnectionIsMade()
            #expect(isMade)
            // Not on a thread that tasks need.
            Thread.detachNewThread { exit(0) }
            await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
        }
    }

    /// What a child that is started now finds open, but for its own list and the folder that the list is made of.
    private static func inheritedDescriptors(in folder: TemporaryDirectory) throws -> Set<String> {
        let list = folder.url.appendingPathComponent("list").path
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, list, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let words = ["/bin/ls", "-l", "/proc/self/fd"]
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        try #require(posix_spawn(&child, "/bin/ls", &actions, nil, arguments, environ) == 0)
        var status: CInt = 0
        try #require(waitpid(child, &status, 0) == child)
        let text = try String(contentsOfFile: list, encoding: .utf8)
        let targets = text.split(separator: "\n").compactMap { $0.components(separatedBy: " -> ").dropFirst().first }
        // The process that runs the tests may remove a file between the two lists: its path has a mark then.
        let files = targets.map { $0.replacingOccurrences(of: " (deleted)", with: "") }
        return Set(files.filter { $0 != list && !$0.hasPrefix("/proc/") })
    }

    /// Compares what children inherit before anything is sent with what they inherit in the middle of everything.
    private static func inheritance() async throws -> Set<String> {
        let folder = try TemporaryDirectory()
        let earlier = try inheritedDescriptors(in: folder)
        let gate = Gate()
        let plain = try LoopbackServer(recording: .withoutBodies) { request in
            request.path == "/slow" ? .interim([.wait(gate)]) : .none
        } handler: { request in
            switch request.path {
            case "/long":
                [
                    .send("HTTP/1.1 200 OK\r\nContent-Length: \(2 << 20)\r\n\r\n"),
                    .repeat("x", count: 1 << 20), .wait(gate), .repeat("y", count: 1 << 20),
                ]
            default: .respond()
            }
        }
        let server = try LoopbackServer(tls: TLSConfiguration()) { _ in .respond() }
        let configuration = CurlTransport.Configuration(security: .init(trustRoots: TLSFixtures.root))
        let client = NetworkClient(transport: try CurlTransport(configuration: configuration), logging: .off)
        _ = await client.outcome(of: URLRequest(url: server.url("/idle")))
        _ = await client.outcome(of: URLRequest(url: plain.url("/idle")))
        let file = try folder.sparseFile("body", length: 8 << 20)
        let upload = try URLRequest.post(url: plain.url("/slow")).bodyFile(at: file).build()
        let target = folder.url.appendingPathComponent("target")
        let uploading = Task { try await client.fetch(request: upload) }
        let download = client.download(URLRequest(url: plain.url("/long")), to: target)
        let stream = try await client.stream(URLRequest(url: plain.url("/long")))
        try await plain.waitForHeads(count: 4)
        for await progress in download.progress where progress.completed > 0 { break }
        let later = try inheritedDescriptors(in: folder)
        gate.open()
        _ = try await stream.item.data(limit: 2 << 20)
        _ = try await download.value
        _ = try await uploading.value
        return later.subtracting(earlier)
    }

    @Test(.spec(194), .enabled(if: TLSConfiguration.isAvailable, "there is no OpenSSL here"))
    func childrenInheritNoDescriptor() async {
        await #expect(processExitsWith: .success) {
            let inherited = try await CurlProcessTests.inheritance()
            #expect(inherited == [], "\(inherited)")
        }
    }

    /// Sends while no descriptor is left, at first use or later, and when there is one again.
    private static func outcomesOfAShortage(isFirstUse: Bool) async throws -> [Outcome] {
        let server = try LoopbackServer { _ in .respond() }
        let other = try LoopbackServer { _ in .respond() }
        if !isFirstUse { _ = await NetworkClient(logging: .off).outcome(of: URLRequest(url: server.url)) }
        // Dispatch ends a process whose first timer finds no descriptor, such as that of the deadline of an outcome.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.001) { continuation.resume() }
        }
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        var none = limit
        none.rlim_cur = 3
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
        let client = NetworkClient(logging: .off)
        let short = await client.outcome(of: URLRequest(url: other.url))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let later = await NetworkClient(logging: .off).outcome(of: URLRequest(url: other.url))
        #expect(NetworkClient().transport is CurlTransport && client.transport is CurlTransport)
        return [short, later]
    }

    @Test(.spec(194), arguments: [true, false])
    func tooFewDescriptorsAreAnErrorThatSaysSo(isFirstUse: Bool) async {
        await #expect(processExitsWith: .success) { [isFirstUse] in
            let outcomes = try await CurlProcessTests.outcomesOfAShortage(isFirstUse: isFirstUse)
            #expect(outcomes == [.failed(.tooManyOpenFiles), .answered(200)])
        }
    }

    /// Limits the descriptors that this process may have.
    private static func limitDescriptors(to count: Int) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = rlim_t(count)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Closes the sockets that this process has from its parent, of which other tests may have many, and returns their
    /// number.
    private static func closeInheritedSockets() -> Int {
        let inherited = (3..<1_024).filter { number in
            var status = stat()
            return fstat(CInt(number), &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
        }
        for number in inherited { close(CInt(number)) }
        return inherited.count
    }

    /// Dispatch ends a process that has no descriptor left while it has work.
    @Test(.spec(209)) func aBurstWithFewDescriptorsSucceeds() async throws {
        let servers = try (0..<2).map { _ in try LoopbackServer(recording: .countsOnly) { _ in .respond() } }
        let (one, other) = (servers[0].url.absoluteString, servers[1].url.absoluteString)
        await #expect(processExitsWith: .success) { [one = one as String, other = other as String] in
            let inherited = Self.closeInheritedSockets()
            Self.limitDescriptors(to: 256)
            let client = NetworkClient(logging: .off)
            let outcomes = await withTaskGroup(of: Outcome.self) { group in
                for place in [one, other] {
                    for _ in 0..<5_000 { group.addTask { await client.outcome(of: URLRequest(url: url(place))) } }
                }
                return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(outcomes == [.answered(200): 10_000], "\(outcomes), \(inherited) inherited")
        }
    }

    /// An engine needs some before its first connection.
    @Test(.spec(209)) func anEngineTakesNoneOfTheLastDescriptors() async {
        await #expect(processExitsWith: .success) {
            try #require(CurlLibrary.problem == nil)
            let engines = CurlEngines(configuration: .init())
            Self.limitDescriptors(to: 256)
            var spare: [CInt] = []
            repeat { spare.append(dup(0)) } while (0..<224).contains(spare.last ?? -1)
            #expect(throws: CurlFailure.self) {
                _ = try engines.take(for: Origin(of: url("http://a")), isStream: false).index
            }
            for descriptor in spare { close(descriptor) }
            #expect(try engines.take(for: Origin(of: url("http://a")), isStream: false).index == 0)
        }
    }

    @Test(.spec(209), arguments: ["127.0.0.1", "localhost"])
    func theLastDescriptorsAreLeftToTheProcess(host: String) async throws {
        let servers = try (0..<2).map { _ in try LoopbackServer { _ in .respond() } }
        let (place, other) = ("http://\(host):\(servers[0].port)", servers[1].url.absoluteString)
        await #expect(processExitsWith: .success) { [place = place as String, other = other as String] in
            _ = Self.closeInheritedSockets()
            let client = NetworkClient(logging: .off)
            // Opens what the process needs for calls.
            _ = await client.outcome(of: URLRequest(url: url(other)))
            Self.limitDescriptors(to: 256)
            var spare: [CInt] = []
            repeat { spare.append(dup(0)) } while (0..<235).contains(spare.last ?? -1)
            let short = await client.outcome(of: URLRequest(url: url(place)))
            for descriptor in spare { close(descriptor) }
            let later = await client.outcome(of: URLRequest(url: url(place)))
            #expect([short, later] == [.failed(.tooManyOpenFiles), .answered(200)], "\(short), \(later)")
        }
    }

    /// A body whose reader traps.
    private struct Trap: RequestBody, BodySource {
        final class Reader: BodyReader {
            func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { fatalError("the trap") }
            func close() {}
        }

        let length = 2 << 20
        let mediaType: MediaType? = nil
        func open() -> any BodyReader { Reader() }
        func makeContent() -> RequestContent { .source(self) }
    }

    /// The runtime prints its backtrace in such a handler; a signal that is blocked ends the process without one.
    @Test(.spec(215)) func aTrapInABodySourceRunsTheHandlerOfCrashes() async {
        await #expect(processExitsWith: .exitCode(7)) {
            for number in [SIGILL, SIGTRAP, SIGABRT] { signal(number) { _ in _exit(7) } }
            let server = try LoopbackServer(recording: .countsOnly) { _ in .respond() }
            let request = try URLRequest.post(url: server.url).body(Trap()).build()
            _ = await NetworkClient(logging: .off).outcome(of: request)
        }
    }
}
#endif
