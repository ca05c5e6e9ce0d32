import Testing

@testable import NetworkUtilities

struct MediaTypeParameterTests {
    @Test(arguments: [
        ("text/plain; charset=UTF-8", "UTF-8"), ("text/plain;a=1;Charset=\"x;y\\\"z\"; b=2", "x;y\"z"),
        ("text/plain; charset =  latin1 ", "latin1"), ("text/plain; charset=", ""), ("text/plain", nil),
        ("text/plain; a=\"charset=b\"", nil), ("text/plain; charset=\"", "\""), ("", nil), (";;;", nil),
        ("a/b; charset", nil), ("a/b; =x", nil), ("a/b; charset=x; charset=y", "x"),
        ("a/b; charset=\"a\\\\b\"", "a\\b"),
        ("a/b; charset=\"é\"", "é"), ("a/b; a=\"x\\\"; charset=y\"; charset=z", "z"), ("a/b; a=\"\\", nil),
        ("a/b; charset=\"\\\"", ""), ("a/b; charset=x=y", "x=y"), ("a/b; xcharset=x", nil),
    ])
    func findsAParameter(value: String, charset: String?) {
        #expect(MediaType(value).parameter("CHARSET") == charset)
    }

    @Test func findsNoParameterWithoutAName() {
        #expect(MediaType("a/b; =x; y").parameter("") == nil)
        #expect(MediaType("a/b; =x; y").parameters.isEmpty)
    }

    @Test func listsTheParametersInTheirOrder() {
        let type = MediaType("a/b;Z=1; b=\"2;3\";; c ; a=;z=4")
        let expected = [("z", "1"), ("b", "2;3"), ("a", ""), ("z", "4")].map {
            MediaType.Parameter(name: $0, value: $1)
        }
        #expect(type.parameters == expected)
        #expect(MediaType("a/b").parameters.isEmpty)
    }

    @Test(
        arguments: [
            ("a/b", "charset", "utf-8", "a/b; charset=utf-8"), ("a/b", "t", "x y", "a/b; t=\"x y\""),
            ("a/b", "t", "", "a/b; t=\"\""), ("a/b", "t", "\"\\", "a/b; t=\"\\\"\\\\\""),
            ("a/b", "t", "é", "a/b; t=\"é\""),
            ("a/b;T=1;u=2", "t", "3", "a/b; t=3; u=2"), ("a/b; t=1; u=2; T=3", "t", "4", "a/b; t=4; u=2"),
            ("a/b; t=1; u=2; T=3", "t", nil, "a/b; u=2"), ("a/b", "t", nil, "a/b"), ("a/b", "t t", "1", "a/b"),
            ("a/b", "", "1", "a/b"), ("a/b", "t\r\nX", "1", "a/b"), ("a/b", "t", "1\r\nX: 2", "a/b; t=\"1  X: 2\""),
            ("A/B; flag", "t", "1", "A/B; flag; t=1"), ("", "t", "1", "; t=1"),
            ("a/b; u=\"x", "t", "1", "a/b; u=\"x\"; t=1"), ("a/b; u=\"", "t", "1", "a/b; u=\"\"; t=1"),
            ("a/b; u=\"x\\", "t", "1", "a/b; u=\"x\\\\\"; t=1"), ("a/b; t=\"x", "t", "1", "a/b; t=1"),
            ("a/b; u=\"x; t=2", "t", "1", "a/b; u=\"x; t=2\"; t=1"),
        ] as [(String, String, String?, String)]
    )
    func setsAParameter(value: String, name: String, to new: String?, result: String) {
        #expect(MediaType(value).setting(parameter: name, to: new).value == result)
    }

    @Test(arguments: ["", "a", "a b", "\"", "\\", "a;b=c", "\\\"\\", "é", " ", "=", ","])
    func aParameterThatWasSetIsReadBack(value: String) throws {
        for start in ["text/plain; a=1", "text/plain; a=\"x", "text/plain; a=\"x\\"] {
            let type = MediaType(start).setting(parameter: "b", to: value)
            #expect(type.parameter("b") == value)
            #expect(try MediaType(parsing: type.value).parameter("b") == value)
        }
    }
}
