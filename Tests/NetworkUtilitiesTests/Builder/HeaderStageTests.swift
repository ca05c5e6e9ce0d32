import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct HeaderStageTests {
    private let start = URLRequest.get(url: url("https://api.example.com/items"))

    @Test(.spec(24)) func addingAHeaderTwiceJoinsItsValues() {
        let field = { HeaderField.custom(name: "X-Tag", value: $0) }
        let one = start.add(header: field("v1")).add(header: field("v2")).build()
        #expect(one.allHTTPHeaderFields == ["X-Tag": "v1,v2"])
        #expect(start.add(headers: [field("v1"), field("v2")]).build().allHTTPHeaderFields == ["X-Tag": "v1,v2"])
    }

    @Test(.spec(24)) func settingAHeaderTwiceKeepsTheLastValue() {
        let field = { HeaderField.custom(name: "X-Tag", value: $0) }
        #expect(start.set(header: field("v1")).set(header: field("v2")).build().allHTTPHeaderFields == ["X-Tag": "v2"])
        #expect(start.set(headers: [field("v1"), field("v2")]).build().allHTTPHeaderFields == ["X-Tag": "v2"])
    }

    @Test(.spec(25)) func headerNamesAreComparedWithoutCase() {
        let fields =
            start
            .set(header: .custom(name: "Content-Type", value: "a/b"))
            .set(header: .custom(name: "content-type", value: "c/d"))
            .build().allHTTPHeaderFields
        #expect(fields == ["content-type": "c/d"])
        let joined =
            start
            .add(header: .custom(name: "X-Tag", value: "1"))
            .add(header: .custom(name: "x-tag", value: "2"))
            .build().allHTTPHeaderFields
        #expect(joined == ["X-Tag": "1,2"])
    }

    @Test(.spec(27)) func aHeaderWithoutAValueIsLeftOut() {
        let fields: [HeaderField] = [.custom(name: "X-A", value: nil), .custom(name: "X-B", value: "b")]
        #expect(start.add(headers: fields).build().allHTTPHeaderFields == ["X-B": "b"])
        #expect(start.set(headers: fields).build().allHTTPHeaderFields == ["X-B": "b"])
        let removed = start.set(header: .custom(name: "X-B", value: "b")).set(header: .custom(name: "x-b", value: nil))
        #expect(removed.build().allHTTPHeaderFields?.isEmpty != false)
    }

    @Test(.spec(26), arguments: ["", "X A", "X\r\nEvil: 1", "X:", "é", "X\u{0}"])
    func aHeaderWhoseNameIsNotATokenIsLeftOut(name: String) {
        let field = HeaderField.custom(name: name, value: "v")
        #expect(start.add(header: field).build().allHTTPHeaderFields?.isEmpty != false)
        #expect(start.set(header: field).build().allHTTPHeaderFields?.isEmpty != false)
    }

    @Test(.spec(30)) func aGETRequestWithAQueryHasNoContentType() {
        #expect(start.add(query: "a", value: "1").build().value(forHTTPHeaderField: "Content-Type") == nil)
    }
}
