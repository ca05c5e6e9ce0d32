import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct URLRequestHeadersTests {
    private let request = URLRequest(url: url("https://api.example.com"))

    @Test func aFieldOfARequestIsSetAndAddedInPlaceAndInACopy() {
        var changed = request
        changed.set(header: .custom(name: "X-Tag", value: "1"))
        changed.add(header: .custom(name: "x-tag", value: "2"))
        #expect(changed.allHTTPHeaderFields == ["X-Tag": "1,2"])
        let copy = changed.setting(header: .custom(name: "x-TAG", value: "3"))
        #expect(copy.allHTTPHeaderFields == ["x-TAG": "3"])
        #expect(changed.adding(header: .language(value: "el")).allHTTPHeaderFields?.count == 2)
        #expect(changed.allHTTPHeaderFields == ["X-Tag": "1,2"])
    }

    @Test func severalFieldsOfARequestAreSetAndAdded() {
        let fields: [HeaderField] = [
            .custom(name: "X-Tag", value: "1"), .custom(name: "x-tag", value: "2"), .custom(name: "X A", value: "3"),
            .custom(name: "X-None", value: nil),
        ]
        let start = request.setting(header: .custom(name: "X-TAG", value: "0"))
            .setting(header: .custom(name: "X-None", value: "0"))
        var set = start
        set.set(headers: fields)
        #expect(set.allHTTPHeaderFields == ["x-tag": "2"])
        #expect(start.setting(headers: fields) == set)
        var added = start
        added.add(headers: fields)
        #expect(added.allHTTPHeaderFields == ["X-TAG": "0,1,2", "X-None": "0"])
        #expect(start.adding(headers: fields) == added)
        #expect(start.setting(headers: []) == start && start.adding(headers: []) == start)
    }

    @Test func aFieldOfARequestIsRemovedWithNil() {
        let copy = request.setting(header: .custom(name: "X-Tag", value: "1"))
        #expect(copy.setting(header: .custom(name: "x-tag", value: nil)).value(forHTTPHeaderField: "X-Tag") == nil)
        #expect(copy.adding(header: .custom(name: "x-tag", value: nil)).value(forHTTPHeaderField: "X-Tag") == "1")
    }

    @Test func aRequestKeepsTheSpellingOfFieldNames() {
        let copy = request.setting(header: .custom(name: "X-API-Key", value: "1"))
            .setting(header: .custom(name: "header_1", value: "2"))
        #expect(copy.allHTTPHeaderFields == ["X-API-Key": "1", "header_1": "2"])
    }

    @Test func aRequestIgnoresAFieldWithAnInvalidName() {
        let copy = request.setting(header: .custom(name: "X\r\nEvil", value: "1"))
        #expect(copy.allHTTPHeaderFields?.isEmpty != false)
    }
}
