import Foundation
import NetworkTestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import NetworkClient

struct HeaderMasksTests {
    private func shown(_ value: String, of name: String, _ masks: HeaderMasks...) -> String {
        LogRedaction.sensitive.shown(value, of: name, masks: masks)
    }

    @Test(.spec(149), arguments: ["X-Customer", "x-customer", "X-CUSTOMER"])
    func masksAFieldWithoutRegardToCase(name: String) {
        #expect(shown("Ada", of: name, .has(name: "X-Customer")) == "***")
        #expect(shown("Ada", of: name, .contains(name: "CUST")) == "***")
        #expect(shown("Ada", of: name, .has(name: "Customer")) == "Ada")
    }

    @Test func showsWhatItsClosureMakesOfAValue() {
        let mask = HeaderMasks.has(name: "Authorization") { String($0.prefix(6)) + "…" }
        #expect(shown("Bearer s3cr3t", of: "authorization", mask) == "Bearer…")
        #expect(shown("Basic s3cr3t", of: "Proxy-Authorization", mask) == "***")
    }

    @Test func appliesSeveralMasksInOrderSoThatTheStrictestWins() {
        let first = HeaderMasks.has(name: "X-A") { String($0.prefix(2)) }
        #expect(shown("s3cr3t", of: "X-A", first, .contains(name: "a")) == "***")
        #expect(shown("s3cr3t", of: "X-A", .contains(name: "a"), first) == "**")
    }

    @Test func hidesTheLengthOfAValue() {
        #expect(HeaderMasks.defaultTransformation("a") == HeaderMasks.defaultTransformation("a much longer value"))
    }
}
