import NetworkTestSupport
import Testing

@testable import NetworkClient

struct InvalidCookieTests {
    @Test(
        .spec(94),
        arguments: [
            (
                InvalidCookie.name("a\nb"),
                #"The cookie name "a\nb" is not a token: use letters, digits and !#$%&'*+-.^_`|~ only."#
            ),
            (
                .value(name: "id"),
                "The value of the cookie 'id' holds a space, a control character, a character beyond ASCII or one of "
                    + #"the characters ",;\, which no cookie may."#
            ),
            (.length(5000), "A cookie of 5000 bytes is too long: name and value have at most 4096 together."),
            (.domain("h/p", name: "id"), #"The domain "h/p" of the cookie 'id' is not a host."#),
            (
                .sharedDomain("com", name: "id"),
                "The cookie 'id' cannot be shared with the hosts below \"com\", "
                    + "which is an address or has a single label."
            ),
            (
                .path(name: "id"),
                "The path of the cookie 'id' does not begin with a slash, has more than 1024 bytes or holds what no "
                    + "path may."
            ),
            (
                .prefix(name: "__Host-id"),
                "The cookie '__Host-id' is not what its name says: '__Secure-' is for secure cookies, '__Host-' for "
                    + "secure ones of a single host and the path '/'."
            ),
        ]
    )
    func saysWhatIsWrong(error: InvalidCookie, sentence: String) {
        #expect("\(error)" == sentence)
    }
}
