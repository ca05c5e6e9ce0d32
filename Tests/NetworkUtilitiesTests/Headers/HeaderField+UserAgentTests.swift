import Testing

@testable import NetworkUtilities

struct HeaderFieldUserAgentTests {
    @Test(
        arguments: [
            ("MyApp", "1.2", "iPhone; iOS 17", "MyApp/1.2 (iPhone; iOS 17)"), ("MyApp", nil, nil, "MyApp"),
            ("MyApp", nil, "x", "MyApp (x)"), ("MyApp", "", "", "MyApp"),
            ("My  App", "1.2 beta", nil, "My-App/1.2-beta"),
            ("Café", "1", nil, "Caf/1"), (" (My/App) ", "é", nil, "My-App"), ("Ελλάδα", "1", "x", nil),
            ("", "1", "x", nil),
            ("a\r\nX-Evil: 1", "2\r\n", "3\r\nX: 4", "a-X-Evil-1/2 (3  X: 4)"), ("é-é", nil, nil, "-"),
            ("a", nil, "(b) \\ )", "a (\\(b\\) \\\\ \\))"), ("a", nil, "é\u{0}", "a (é )"), ("a", nil, " ", "a ( )"),
        ] as [(String, String?, String?, String?)]
    )
    func writesAProduct(product: String, version: String?, comment: String?, value: String?) {
        let field = HeaderField.userAgent(product: product, version: version, comment: comment)
        #expect(field.name == "User-Agent")
        #expect(field.value == value)
    }

    @Test func takesAWholeValue() {
        #expect(HeaderField.userAgent(value: "MyApp/1 (x) Y/2").value == "MyApp/1 (x) Y/2")
        #expect(HeaderField.userAgent(value: "a\r\nX: 1").value == "a  X: 1")
    }
}
