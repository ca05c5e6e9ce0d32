import Testing

@testable import NetworkClient

/// The proof of RFC 7636.
struct PKCETests {
    /// The values of Python's `hashlib`, for messages that end before, at and after the limits of a block.
    private static let digests: [(count: Int, challenge: String)] = [
        (43, "ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA"), (55, "n0OQ-NMMLdkuyfCVtl4rmumwqSWlJY4kHJ8ekQ9zQxg"),
        (56, "s1Q5pKxvCUi21vnjxq8PX1kM4g8b3nCQ73lwaG7Gc4o"), (63, "fT50oF19sVvOStnsBljqmOPwbu7PFrTG__LaRX3cLzQ"),
        (64, "_-BU_nrgy23GXDr5th1SCfQ5hR20PQulmXM33xVGaOs"), (119, "MeulHDE6XAgiat8Y1KNZz9_Y0ugWsT9K-VL36mWE3Ps"),
        (120, "Lz0zVDLHC1gK8Ojhs2dKfAINaDql9zqq7f3FWvkEwhw"), (128, "aDbPE7rEAOkQUHHNavRwhN-srU5eMCyUv-0k4BOvtz4"),
    ]

    @Test func theChallengeIsTheOneOfTheRFCAndOfPythonForEachLength() throws {
        let pkce = try #require(PKCE(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        expect(pkce.challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        for (count, challenge) in Self.digests {
            expect(PKCE(verifier: String(repeating: "a", count: count))?.challenge, challenge, "\(count)")
        }
    }

    @Test func theBrowserGetsTheChallengeAndItsMethod() {
        let pkce = PKCE()
        expect(pkce.queryItems.map(\.name), ["code_challenge", "code_challenge_method"])
        expect(pkce.queryItems.map(\.value), [pkce.challenge, "S256"])
    }

    @Test func aVerifierHas43To128UnreservedCharacters() {
        let base = String(repeating: "a", count: 39)
        for verifier in [base + "-._~", base + String(repeating: "Z", count: 89)] {
            expect(PKCE(verifier: verifier)?.verifier, verifier)
        }
        let invalid = [
            base + "abc", base + String(repeating: "Z", count: 90), base + "abc+", base + "äöü", base + "ab\0c",
        ]
        for verifier in invalid { expect(PKCE(verifier: verifier) == nil, true, verifier) }
    }

    @Test func randomVerifiersAreValidAndDifferent() {
        let verifiers = (0..<100).map { _ in PKCE().verifier }
        expect(Set(verifiers).count, 100)
        #expect(verifiers.allSatisfy { $0.utf8.count == 43 && PKCE(verifier: $0) != nil })
    }
}
