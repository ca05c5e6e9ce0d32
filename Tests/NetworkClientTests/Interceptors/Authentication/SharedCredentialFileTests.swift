import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Several sessions on one file, as in several processes: each has a store and so locks of its own.
struct SharedCredentialFileTests {
    private struct Reused: Error {}

    /// An authority that accepts each refresh token once.
    private final class Authority: Sendable {
        let spent = Recorder<String?>()
        let gate: Gate

        init(_ gate: Gate = Gate(open: true)) {
            self.gate = gate
        }

        func renew(_ old: AccessToken) async throws -> AccessToken {
            let isSpent = spent.values.contains(old.refreshToken)
            spent.record(old.refreshToken)
            try await gate.wait()
            if isSpent { throw Reused() }
            return AccessToken("t\(spent.count)", refreshToken: "r\(spent.count)")
        }
    }

    private let folder: TemporaryDirectory
    private let file: URL
    private static let first = AccessToken("t0", refreshToken: "r0")

    init() throws {
        folder = try TemporaryDirectory()
        file = folder.url.appendingPathComponent("token.json")
    }

    private var store: FileCredentialStore { FileCredentialStore(file: file) }

    private func session(_ authority: Authority, timeout: Double = 60) -> TokenSession {
        TokenSession(store: store, policy: .init(timeout: timeout)) { try await authority.renew($0) }
    }

    @Test(.spec(201)) func oneSessionRefreshesAndTheOthersTakeItsResult() async throws {
        try await store.save(Self.first)
        let (authority, server) = (Authority(), TokenServer(accepting: "t1"))
        let sessions = (0..<5).map { _ in session(authority) }
        for session in sessions { expect(try await session.currentToken(), Self.first) }
        let calls = (sessions + sessions + sessions).map { session in
            Task { try await server.client(session).status(TokenServer.request()) }
        }
        for call in calls { expect(try await withDeadline { try await call.value }, 200) }
        expect(authority.spent.values, ["r0"])
        expect(try await store.load(), AccessToken("t1", refreshToken: "r1"))
    }

    #if os(Linux)
    /// Whether this process may mount a file system (CAP_SYS_ADMIN).
    private static let mayMount: Bool = {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") } ?? ""
        let capabilities = UInt64(line.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) ?? 0
        return capabilities & 1 << 21 != 0
    }()

    /// On a file system with room for the token's file alone.
    @Test(.spec(241), .enabled(if: mayMount)) func aTokenIsRefreshedAndUsedThoughTheDiskIsFull() async throws {
        func run(_ arguments: String...) throws -> Bool {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = arguments
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus == 0
        }
        try #require(try run("mount", "-t", "tmpfs", "-o", "nr_inodes=2", "tmpfs", folder.url.path))
        defer { expect(try? run("umount", folder.url.path), true) }
        try Data(#"{"refreshToken":"r0","value":"t0"}"#.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let (authority, server) = (Authority(), TokenServer(accepting: "t1"))
        let client = server.client(session(authority))
        for _ in 1...3 { expect(try await client.status(TokenServer.request()), 200) }
        expectAll((authority.spent.values, server.tokens()), (["r0"], ["t0", "t1", "t1", "t1"]))
    }
    #endif

    @Test(.spec(201), arguments: [nil, AccessToken("bob")])
    func aSignOutElsewhereWaitsForNoRefreshAndIsNotUndoneByIt(next: AccessToken?) async throws {
        try await store.save(Self.first)
        let (gate, server) = (Gate(), TokenServer(accepting: "t1"))
        let authority = Authority(gate)
        let client = server.client(session(authority))
        let call = Task { try await client.status(TokenServer.request()) }
        try await withDeadline { while authority.spent.count == 0 { await Task.yield() } }
        let other = session(Authority())
        try await withDeadline { try await other.setToken(next) }
        gate.open()
        let error = await #expect(throws: AuthenticationError.self) { try await withDeadline { try await call.value } }
        expect(error?.reason, .signedOut)
        expect(try await store.load(), next)
    }

    #if os(Linux) || os(macOS)
    /// Another process holds the lock: the refresh waits for it, and ends with its limit.
    @Test(.spec(201), .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
    func aRefreshWaitsForTheOneOfAnotherProcessAndTakesItsResult() async throws {
        let authority = Authority()
        try await session(authority).setToken(Self.first)
        let script = """
            import fcntl, os, sys
            lock = open(sys.argv[1] + "/.token.json.lock", "w")
            fcntl.flock(lock, fcntl.LOCK_EX)
            print("locked", flush=True)
            os.close(1)
            sys.stdin.readline()
            path = sys.argv[1] + "/token.json"
            text = open(path).read().replace("t0", "t1").replace("r0", "r1")
            with open(path + "~", "w") as new: new.write(text)
            os.rename(path + "~", path)
            """
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, folder.url.path]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        let locked = try await DiskFile.offThread { output.fileHandleForReading.readDataToEndOfFile() }
        #expect(locked.starts(with: Data("locked".utf8)))

        let server = TokenServer(accepting: "t1")
        let impatient = server.client(session(authority, timeout: 0.05))
        let error = await #expect(throws: AuthenticationError.self) {
            try await withDeadline { try await impatient.status(TokenServer.request()) }
        }
        expectAll((error?.reason, authority.spent.count), (.refreshTimedOut, 0))

        let client = server.client(session(authority))
        let call = Task { try await client.status(TokenServer.request()) }
        try await server.waitForRefusals(2)
        input.fileHandleForWriting.write(Data("\n".utf8))
        try await DiskFile.offThread { process.waitUntilExit() }
        expect(process.terminationStatus, 0)
        expect(try await withDeadline { try await call.value }, 200)
        expect(authority.spent.count, 0)
    }
    #endif

    @Test(
        arguments: [
            ("", false), ("{", false), ("null", false), ("[]", false), (#"{"value":7}"#, false),
            (#"{"refreshToken":"x"}"#, false), ("\"x\"", false),
            (#"{"value":"t1"}"#, true), (#"{"value":"t1","more":[]}"#, true),
        ]
    )
    func aFileThatHoldsNoTokenIsAnErrorBeforeAnythingIsSentAndStaysAsItIs(content: String, isGood: Bool) async throws {
        _ = try folder.file("token.json", content)
        let (authority, server) = (Authority(), TokenServer(accepting: "t1"))
        let client = server.client(session(authority))
        if isGood {
            expect(try await client.status(TokenServer.request()), 200)
        } else {
            let error = await #expect(throws: AuthenticationError.self) {
                try await client.status(TokenServer.request())
            }
            expectAll((error?.reason, server.asked, authority.spent.count), (.storeFailed, [], 0))
            let cause = "the store of the credential failed (The file '\(file.path)' does not contain a token)."
            expect(error?.description.hasSuffix(cause), true)
        }
        expect(try String(contentsOf: file, encoding: .utf8), content)
        // A sign-in replaces it.
        let session = session(authority)
        try await session.setToken(AccessToken("t1"))
        expect(try await store.load(), AccessToken("t1"))
    }
}
