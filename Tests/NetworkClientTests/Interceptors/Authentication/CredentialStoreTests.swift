import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CredentialStoreTests {
    private let folder: TemporaryDirectory
    private let file: URL
    private let store: FileCredentialStore

    init() throws {
        folder = try TemporaryDirectory()
        file = folder.url.appendingPathComponent("a/b/token.json")
        store = FileCredentialStore(file: file)
    }

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    @Test(
        arguments: [
            AccessToken("t"), AccessToken("t", refreshToken: "ä\"\\", expiry: Date(timeIntervalSince1970: 1e9 + 0.25)),
        ]
    )
    func aFileStoreKeepsATokenForTheUserAlone(token: AccessToken) async throws {
        expect(try await store.load(), nil)
        try await store.save(AccessToken("before"))
        try await store.save(token)
        expect(try await store.load(), token)
        expect(try await FileCredentialStore(file: file).load(), token)
        expect(try mode(file), 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        expectAll(try await (store.load(), mode(file)), (token, 0o600))
        for path in ["a", "a/b"] { expect(try mode(folder.url.appendingPathComponent(path)), 0o700) }
        expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).count, 1)
        try await store.remove()
        try await store.remove()
        expect(try await store.load(), nil)
    }

    /// What stands at the path of a store that is not its own file.
    enum Place: CaseIterable {
        case link, linkToNothing, secondName, folder, pipe, device
    }

    @Test(.spec(201), arguments: Place.allCases)
    func aPlaceThatIsNotAFileOfTheUserAloneIsAnErrorThatChangesNothing(place: Place) async throws {
        let real = try folder.file("real.json", #"{"value":"t"}"#)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: real.path)
        var path = folder.url.appendingPathComponent("token.json")
        switch place {
        case .link: try FileManager.default.createSymbolicLink(at: path, withDestinationURL: real)
        case .linkToNothing:
            try FileManager.default.createSymbolicLink(atPath: path.path, withDestinationPath: "/nonexistent/x")
        case .secondName: try #require(link(real.path, path.path) == 0)
        case .folder: try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false)
        case .pipe: try #require(mkfifo(path.path, 0o644) == 0)
        case .device: path = URL(fileURLWithPath: "/dev/null")
        }
        let before = try FileManager.default.attributesOfItem(atPath: path.path)[.posixPermissions] as? Int
        let store = FileCredentialStore(file: path)
        let failed = CredentialFileError.foreign(url: path)
        await #expect(throws: failed) { try await store.load() }
        await #expect(throws: failed) { try await store.save(AccessToken("x")) }
        await #expect(throws: failed) { try await store.remove() }
        expect(try FileManager.default.attributesOfItem(atPath: path.path)[.posixPermissions] as? Int, before)
        expectAll(try (String(contentsOf: real, encoding: .utf8), mode(real)), (#"{"value":"t"}"#, 0o644))
        let sentence = "The token's file '\(path.path)' is not a regular file that belongs to this user alone."
        expect(failed.description, sentence)
    }

    /// What a process leaves that is killed while it writes.
    @Test(.spec(201), arguments: ["load", "save", "remove"])
    func whatAKilledProcessHasLeftIsRemovedByTheNextUse(use: String) async throws {
        try await store.save(AccessToken("t"))
        let left = file.deletingLastPathComponent().appendingPathComponent(".token.json.new")
        try Data(#"{"value":"seCret""#.utf8).write(to: left)
        switch use {
        case "load": expect(try await store.load(), AccessToken("t"))
        case "save": try await store.save(AccessToken("u"))
        default: try await store.remove()
        }
        #expect(!FileManager.default.fileExists(atPath: left.path))
    }

    @Test func theRevisionOfAStoreChangesWithItsToken() async throws {
        let stores: [any CredentialStore] = [store, InMemoryCredentialStore()]
        for store in stores {
            var seen = Set([store.revision])
            for number in 0..<20 {
                try await store.save(AccessToken("\(number % 2)"))
                #expect(seen.insert(store.revision).inserted)
                _ = try await store.load()
                #expect(seen.contains(store.revision))
            }
            #expect(try await !store.replace(AccessToken("0"), with: nil))
            #expect(try await store.replace(AccessToken("1"), with: AccessToken("2")))
            #expect(seen.insert(store.revision).inserted)
            #expect(try await store.replace(AccessToken("2"), with: nil))
            expect(try await store.load(), nil)
            #expect(try await store.replace(nil, with: AccessToken("3")))
        }
        // Copies of a store in memory share its token.
        let original = InMemoryCredentialStore(AccessToken("a"))
        let copy = original
        copy.save(AccessToken("b"))
        expect(original.load(), AccessToken("b"))
    }

    @Test func aTokenThatCannotBeWrittenIsAnErrorThatNamesTheFile() async throws {
        let blocked = try folder.file("blocked", "x").appendingPathComponent("token.json")
        let error = await #expect(throws: CredentialFileError.self) {
            try await FileCredentialStore(file: blocked).save(AccessToken("t"))
        }
        expect(error, .notWritten(url: blocked, code: ENOTDIR))
        expect(error?.description, "The token cannot be written to '\(blocked.path)' (errno \(ENOTDIR)).")
    }

    @Test func manyTokensThatAreSavedAtOnceLeaveOneWholeToken() async throws {
        let tokens = (0..<20).map { AccessToken(String(repeating: "\($0)", count: 10_000)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for token in tokens {
                group.addTask {
                    try await store.save(token)
                    #expect(tokens.contains(try #require(try await store.load())))
                }
            }
            try await group.waitForAll()
        }
        expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).count, 1)
    }

    @Test(arguments: [(60, true), (0, true), (-60, true), (.nan, false), (.infinity, false), (1e18, false)])
    func theExpiryOfATokenIsUnknownForAnImpossibleNumberOfSeconds(seconds: Double, isKnown: Bool) {
        expect((AccessToken("t", expiresIn: seconds).expiry != nil), isKnown)
    }
}
