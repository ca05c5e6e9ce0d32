import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct HeaderFieldJoiningTests {
    private func field(_ name: String, _ value: String?) -> HeaderField { .custom(name: name, value: value) }

    @Test(.spec(28)) func losesNoValue() {
        let fields = HeaderField.joined([field("A", "1"), field("B", "2"), field("a", "3"), field("A", "4")])
        #expect(fields == [field("A", "1,3,4"), field("B", "2")])
    }

    @Test(
        .spec(183),
        arguments: [
            "Authorization", "authorization", "Content-Type", "CONTENT-LENGTH", "Host", "Range", "If-Range", "Referer",
            "User-Agent", "Idempotency-Key", "Origin", "Proxy-Authorization",
        ]
    )
    func aSecondFieldReplacesTheFirstWhereThereCanBeOneOnly(name: String) {
        let fields = ["1", "2", nil].map { field(name, $0) }
        let start = URLRequest.get(url: url("https://h"))
        var added = start.build()
        added.add(header: fields[0])
        added.add(header: field(name.uppercased(), "2"))
        let requests = [
            start.add(headers: fields).build(), start.add(header: fields[0]).add(header: fields[1]).build(),
            start.set(header: fields[0]).add(header: fields[1]).build(), start.headers { fields }.build(), added,
            start.build().adding(headers: fields),
            start.build().setting(headers: [fields[0]]).adding(header: fields[1]),
        ]
        for request in requests { #expect(request.allHTTPHeaderFields == [name: "2"]) }
        #expect(HeaderField.joined(fields) == [field(name, "2")])
    }

    @Test(arguments: ["Accept", "Accept-Language", "Cache-Control", "If-None-Match", "Via", "X-Authorization"])
    func aSecondFieldIsAddedWhereThereCanBeSeveral(name: String) {
        let request = URLRequest.get(url: url("https://h")).add(headers: [field(name, "1"), field(name, "2")]).build()
        #expect(request.allHTTPHeaderFields == [name: "1,2"])
    }

    @Test func keepsAFieldWithoutAValueOnlyWhereNoOtherHasItsName() {
        #expect(HeaderField.joined([field("A", nil), field("a", "1")]) == [field("A", "1")])
        #expect(HeaderField.joined([field("A", "1"), field("a", nil)]) == [field("A", "1")])
        #expect(HeaderField.joined([field("A", nil), field("a", nil)]) == [field("A", nil)])
        #expect(HeaderField.joined([]) == [])
        #expect(HeaderField.joined([field("A", ""), field("A", "")]) == [field("A", ",")])
    }
}
