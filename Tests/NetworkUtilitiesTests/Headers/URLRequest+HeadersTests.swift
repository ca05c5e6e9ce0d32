@testable import NetworkUtilities

struct URLRequestHeadersTests {
    private let request = URLRequest(url: url("https://api.example.com"))

    private func field(_ name: String, _ value: String?) -> HeaderField { .custom(name: name, value: value) }

    @Test func aFieldOfARequestIsSetAndAddedInPlaceAndInACopy() {
        var changed = request
        changed.set(header: field("X-Tag", "1"))
        changed.add(header: field("x-tag", "2"))
        expect(changed.fields, ["X-Tag": "1,2"])
        expect(changed.setting(header: field("x-TAG", "3")).fields, ["x-TAG": "3"])
        expect(changed.setting(header: field("x-tag", nil)).fields, [:])
        expect(changed.adding(header: field("x-tag", nil)).fields, ["X-Tag": "1,2"])
        expect(changed.adding(header: field("X_b", "el")).fields, ["X-Tag": "1,2", "X_b": "el"])
        expect(changed.setting(header: field("X\r\nEvil", "1")).fields, ["X-Tag": "1,2"])
        expect(changed.fields, ["X-Tag": "1,2"])
    }

    @Test func severalFieldsOfARequestAreSetAndAdded() {
        let fields = [field("X-Tag", "1"), field("x-tag", "2"), field("X A", "3"), field("X-None", nil)]
        let start = request.setting(header: field("X-TAG", "0")).setting(header: field("X-None", "0"))
        var set = start
        set.set(headers: fields)
        expect(set.fields, ["x-tag": "2"])
        expect(start.setting(headers: fields), set)
        var added = start
        added.add(headers: fields)
        expect(added.fields, ["X-TAG": "0,1,2", "X-None": "0"])
        expect(start.adding(headers: fields), added)
        expect([start.setting(headers: []), start.adding(headers: [])], [start, start])
    }
}
