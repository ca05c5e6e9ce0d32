import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct ResponseFieldsTests {
    private let fields = ResponseFields([
        .init(name: "Set-Cookie", value: "a=1"), .init(name: "X-Tag", value: "x"),
        .init(name: "set-cookie", value: "b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT"), .init(name: "x-tag", value: ""),
    ])

    @Test func fieldsKeepTheirOrderAndSpelling() {
        expect(fields.map(\.name), ["Set-Cookie", "X-Tag", "set-cookie", "x-tag"])
        #expect(fields[2].value.hasPrefix("b=2"))
        expectAll((fields.count, fields.first?.value), (4, "a=1"))
    }

    @Test(arguments: ["set-cookie", "SET-COOKIE", "Set-Cookie"])
    func fieldsAreFoundInAnyLetterCase(name: String) {
        expect(fields.values(named: name), ["a=1", "b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT"])
    }

    @Test func fieldsOfOneNameAreJoined() {
        expect(fields["x-TAG"], "x, ")
        expect(fields["missing"], nil)
        expect(fields.values(named: "missing"), [])
        expect(fields.joined, ["Set-Cookie": "a=1, b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "X-Tag": "x, "])
    }

    @Test func theFieldsOfACreatedResponseAreThoseThatFoundationKnows() {
        let response = HTTPURLResponse.made(200, url: "https://h/", headers: ["B": "2", "A": "1"])
        expect(response.receivedFields.map { "\($0.name)=\($0.value)" }, ["A=1", "B=2"])
        expect(response.metrics, nil)
    }
}
