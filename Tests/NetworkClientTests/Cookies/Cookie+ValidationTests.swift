import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CookieValidationTests {
    private func error(
        name: String = "a",
        value: String = "1",
        domain: String = "example.com",
        isHostOnly: Bool = true,
        path: String = "/",
        isSecure: Bool = false
    ) -> InvalidCookie? {
        do throws(InvalidCookie) {
            _ = try Cookie(
                name: name,
                value: value,
                domain: domain,
                isHostOnly: isHostOnly,
                path: path,
                isSecure: isSecure
            )
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["", "a b", "a=b", "a;b", "a,b", "é", "a\u{0}", "a\r\n", "\"a\"", "a[1]"])
    func refusesANameThatIsNoToken(name: String) {
        #expect(error(name: name) == .name(name))
    }

    @Test(
        .spec(94),
        arguments: [
            " ", "a b", "a\tb", "a;b", "a,b", "a\\b", "a\"b", "\"", "\"a", "a\"", "\"a\"b\"", "\"a b\"", "é", "\u{0}",
            "a\r\nb",
            "\u{7F}", "\u{1F600}",
        ]
    )
    func refusesAValueThatCannotBeSent(value: String) {
        #expect(error(value: value) == .value(name: "a"))
    }

    @Test(arguments: ["", "\"\"", "\"a\"", "a=b=", "!#$%&'()*+-./:<=>?@[]^_`{|}~", "%20"])
    func takesEveryValueOfTheGrammar(value: String) {
        #expect(error(value: value) == nil)
    }

    @Test func refusesWhatIsTooLong() {
        #expect(error(value: String(repeating: "v", count: 4095)) == nil)
        #expect(error(value: String(repeating: "v", count: 4096)) == .length(4097))
        #expect(error(name: String(repeating: " ", count: 1 << 20), value: "") == .length(1 << 20))
        #expect(error(path: "/" + String(repeating: "p", count: 1023)) == nil)
        #expect(error(path: "/" + String(repeating: "p", count: 1024)) == .path(name: "a"))
    }

    @Test(arguments: ["", "a b", "https://h", "h:80", "h/p", "müller.de", "h;", "a\u{0}b", "."])
    func refusesADomainThatIsNoHost(domain: String) {
        #expect(error(domain: domain) == .domain(domain, name: "a"))
    }

    @Test(arguments: ["com", "localhost", "127.0.0.1", "::1", "com.", "127.1"])
    func refusesToShareWhatHasNoNamesBelow(domain: String) {
        #expect(error(domain: domain, isHostOnly: false) == .sharedDomain(domain, name: "a"))
        #expect(error(domain: domain) == nil)
    }

    @Test(arguments: ["", "a", "a/b", "/a;b", "/a b", "/é", "/\u{0}", "/\n"])
    func refusesAPathThatIsNone(path: String) {
        #expect(error(path: path) == .path(name: "a"))
    }

    @Test(arguments: ["__Secure-a", "__Host-a", "__secure-a", "__HOST-a"])
    func holdsANameToItsPrefix(name: String) {
        #expect(error(name: name) == .prefix(name: name))
        #expect(error(name: name, isSecure: true) == nil)
        let isHost = name.lowercased().hasPrefix("__host-")
        #expect(error(name: name, path: "/a", isSecure: true) == (isHost ? .prefix(name: name) : nil))
        #expect(error(name: name, isHostOnly: false, isSecure: true) == (isHost ? .prefix(name: name) : nil))
    }

    @Test(arguments: ["__Secure", "Secure-a", "__Hostess", "_Host-a", "a__Host-"])
    func takesOtherNamesAsTheyAre(name: String) {
        #expect(error(name: name) == nil)
    }
}
