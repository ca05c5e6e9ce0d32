import Foundation
import NetworkTestSupport
import Testing

@Suite(.enabled(if: TLSSession.isAvailable, "there is no OpenSSL here"))
struct TLSFixturesTests {
    @Test(arguments: [TLSFixtures.localhost, TLSFixtures.withIntermediate], ["localhost", "127.0.0.1", "::1"])
    func fixturesAreTrustedByClientsThatTrustTheRoot(identity: TLSIdentity, host: String) throws {
        let failures = try TLSPair(identity, host: host).shakeHands()
        #expect(failures.client == nil)
        #expect(failures.server == nil)
    }

    /// The codes are OpenSSL's; the alerts are those of RFC 8446, section 6.2.
    @Test(arguments: [
        (TLSFixtures.expired, 10, 45),
        (TLSFixtures.notYetValid, 9, 42),
        (TLSFixtures.wrongHost, 62, 42),
        (TLSFixtures.selfSigned, 18, 48),
        (TLSFixtures.withoutIntermediate, 20, 48),
    ])
    func eachFaultyFixtureHasOneFault(identity: TLSIdentity, code: Int, alert: Int) throws {
        let failures = try TLSPair(identity).shakeHands()
        guard case .untrusted(code, _)? = failures.client else {
            Issue.record("\(String(describing: failures.client))")
            return
        }
        #expect(failures.server == .alert(alert))
    }

    @Test func fixturesAreNotTrustedWithoutTheRoot() throws {
        let failures = try TLSPair(TLSFixtures.localhost, trustRoots: TLSFixtures.selfSigned.certificates).shakeHands()
        guard case .untrusted(20, _)? = failures.client else {
            Issue.record("\(String(describing: failures.client))")
            return
        }
    }

    @Test func eachFixtureHasADifferentPin() throws {
        let identities = [
            TLSFixtures.localhost, TLSFixtures.expired, TLSFixtures.notYetValid, TLSFixtures.wrongHost,
            TLSFixtures.selfSigned, TLSFixtures.withIntermediate,
        ]
        let pins = try identities.map(TLSFixtures.publicKeyPin)
        #expect(Set(pins).count == pins.count)
        #expect(
            pins.allSatisfy { $0.hasPrefix("sha256//") && Data(base64Encoded: String($0.dropFirst(8)))?.count == 32 }
        )
        #expect(try TLSFixtures.publicKeyPin(of: TLSFixtures.withoutIntermediate) == pins.last)
    }

    @Test func theEncryptedKeyNeedsItsPassword() throws {
        let right = TLSFixtures.encryptedClient
        _ = try TLSSession(TLSConfiguration(.client(host: "localhost"), identity: right))
        for password in [nil, "", "another"] {
            let wrong = TLSIdentity(certificates: right.certificates, key: right.key, password: password)
            #expect(throws: TLSFailure.self) {
                try TLSSession(TLSConfiguration(.client(host: "localhost"), identity: wrong))
            }
        }
    }
}
