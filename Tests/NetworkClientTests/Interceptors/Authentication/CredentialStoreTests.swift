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
        #expect(try await store.load() == nil)
        try await store.save(AccessToken("before"))
        try await store.save(token)
        #expect(try await store.load() == token)
        #expect(try await FileCredentialStore(file: file).load() == token)
        #expect(try mode(file) == 0o600)
        for path in ["a", "a/b"] { #expect(try mode(folder.url.appendingPathComponent(path)) == 0o700) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).count == 1)
        try await store.remove()
        try await store.remove()
        #expect(try await store.load() == nil)
    }

    @Test func loadingTakesBackTheRightsOfOtherUsers() async throws {
        try await store.save(AccessToken("t"))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        #expect(try await store.load() == AccessToken("t"))
        #expect(try mode(file) == 0o600)
    }

    @Test(arguments: ["", "{", "[]", #"{"refreshToken":"seCret"}"#, "\"seCret\""])
    func aFileWithoutATokenIsAnErrorThatDoesNotQuoteIt(content: String) async throws {
        let file = try folder.file("other.json", content)
        let error = await #expect(throws: CredentialFileError.self) { try await FileCredentialStore(file: file).load() }
        #expect(error == .malformed(url: file))
        #expect(error?.localizedDescription == "The file '\(file.path)' does not contain a token.")
    }

    @Test func aLinkAndAFolderAreNotRead() async throws {
        let real = try folder.file("real.json", #"{"value":"t"}"#)
        #expect(try await FileCredentialStore(file: real).load() == AccessToken("t"))
        let link = folder.url.appendingPathComponent("link.json")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
        for place in [link, folder.url] {
            let error = await #expect(throws: CredentialFileError.self) {
                try await FileCredentialStore(file: place).load()
            }
            guard case .unreadable(place, _) = error else { return #expect(Bool(false), "\(error as Any)") }
        }
    }

    @Test func aTokenThatCannotBeWrittenIsAnErrorThatNamesTheFile() async throws {
        let blocked = try folder.file("blocked", "x").appendingPathComponent("token.json")
        let error = await #expect(throws: CredentialFileError.self) {
            try await FileCredentialStore(file: blocked).save(AccessToken("t"))
        }
        #expect(error == .notWritten(url: blocked, code: ENOTDIR))
        #expect(error?.description == "The token cannot be written to '\(blocked.path)' (errno \(ENOTDIR)).")
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
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).count == 1)
    }

    @Test func theStoreInMemoryIsSharedByItsCopies() {
        let store = InMemoryCredentialStore(AccessToken("a"))
        let copy = store
        copy.save(AccessToken("b"))
        #expect(store.load() == AccessToken("b"))
        store.remove()
        #expect(copy.load() == nil)
    }

    @Test(arguments: [(60, true), (0, true), (-60, true), (.nan, false), (.infinity, false), (1e18, false)])
    func theExpiryOfATokenIsUnknownForAnImpossibleNumberOfSeconds(seconds: Double, isKnown: Bool) {
        #expect((AccessToken("t", expiresIn: seconds).expiry != nil) == isKnown)
    }
}
