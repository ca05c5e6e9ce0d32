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
            if number < 2_400 { #expect(table.value(of: origin(0)) == first) }
            #expect(table.count <= 1_000)
        }
        #expect(table.value(of: origin(0)) == first)
        #expect(table.value(of: origin(2_499)) == 2_500)
        #expect(table.value(of: origin(1)) == 2_502)
    }

    @Test(arguments: [
        ("https://api.example.com/items", "https://api.example.com"), ("http://a.example:80/", "http://a.example"),
        ("http://a.example:8080/x", "http://a.example:8080"), ("https://u:p@a.example:80/", "https://a.example:80"),
        ("http://[::1]:8443/", "http://[::1]:8443"),
    ])
    func theTextOfAnOriginHasNoDefaultPortAndNoPassword(text: String, origin: String) {
        #expect(Origin(of: url(text)).text == origin)
    }
}
