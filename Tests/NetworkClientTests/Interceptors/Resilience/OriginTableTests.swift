import NetworkTestSupport
import Testing

@testable import NetworkClient

struct OriginTableTests {
    private func origin(_ number: Int) -> Origin { Origin(of: url("https://h\(number).example.com/")) }

    @Test func theValuesOfTheOriginsThatWereUsedLastAreKept() {
        let made = Locked(0)
        let table = OriginTable { () -> Int in
            made.withLock { made in
                made += 1
                return made
            }
        }
        let first = table.value(of: origin(0))
        for number in 1...2_500 {
            _ = table.value(of: origin(number))
            if number < 2_400 { expect(table.value(of: origin(0)), first) }
            #expect(table.count <= 1_000)
        }
        expect(table.value(of: origin(0)), first)
        expect(table.value(of: origin(2_499)), 2_500)
        expect(table.value(of: origin(1)), 2_502)
    }

    @Test(arguments: [
        "https://a.example.com", "https://a.example.com/", "https://a.example.com/x?y#z", "https://a.example.com?x",
        "https://a.example.com#x", "https://A.example.com/", "HTTPS://a.example.com", "https://a.example.com:443/",
        "https://u:p@a.example.com/", "https://a.example.com.evil.com/", "https://a.example.co",
        "http://a.example.com/",
        "https://a.example.com:8443/", "https://a.example.com@evil.com/", "https://a.example.com:443@evil.com/",
        "https://[::1]/", "https://[::1]:8443/", "https:///path", "file:///path", "x",
    ])
    func theURLsOfAnOriginHaveItsValueWhateverWasUsedBefore(text: String) {
        let used = ["https://a.example.com/", "https://[::1]/", "https:///", "file:///", "https://evil.com/"].map(url)
        let table = OriginTable { Recorder<Int>() }
        let value = table.value(of: Origin(of: url(text)))
        for other in used {
            let isSame = Origin(of: other) == Origin(of: url(text))
            expect((table.value(for: other) === value), isSame)
            #expect(table.value(for: url(text)) === value)
        }
    }

    @Test(arguments: [
        ("https://api.example.com/items", "https://api.example.com"), ("http://a.example:80/", "http://a.example"),
        ("http://a.example:8080/x", "http://a.example:8080"), ("https://u:p@a.example:80/", "https://a.example:80"),
        ("http://[::1]:8443/", "http://[::1]:8443"),
    ])
    func theTextOfAnOriginHasNoDefaultPortAndNoPassword(text: String, origin: String) {
        expect(Origin(of: url(text)).text, origin)
    }
}
