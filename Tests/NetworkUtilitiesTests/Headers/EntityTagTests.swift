@testable import NetworkUtilities

struct EntityTagTests {
    @Test(arguments: [
        ("\"abc\"", "abc", false), ("W/\"abc\"", "abc", true), ("\"\"", "", false), ("W/\"\"", "", true),
        ("\"W/\"", "W/", false), ("\"a\\b\"", "a\\b", false), ("\"é\"", "é", false), ("\"a,b\"", "a,b", false),
    ])
    func anEntityTagIsReadAsItIsWritten(text: String, tag: String, isWeak: Bool) throws {
        let read = try EntityTag(parsing: text)
        expect(read, try EntityTag(tag, isWeak: isWeak))
        expect(read, try EntityTag(parsing: " \(text)\t"))
        expect(read.isWeak, isWeak)
        expect([read.tag, read.value, read.description], [tag, text, text])
    }

    @Test func aTextThatIsNotAnEntityTagIsRefused() {
        for text in [
            "", " ", "abc", "\"", "\"abc", "abc\"", "w/\"abc\"", "W\"abc\"", "W/ \"abc\"", "W/", "W/\"", "W/abc",
            "\"a b\"", "\"a\"b\"", "\"a\", \"b\"", "\"a\r\n\"", "\"\u{0}\"", "\"\u{7F}\"", "*", "'abc'",
        ] {
            #expect(throws: EntityTagError(text: text)) { try EntityTag(parsing: text) }
        }
        for tag in ["a b", "\"", "a\"b", "\r\n", "\u{0}", "\t", "\u{7F}"] {
            #expect(throws: EntityTagError(text: tag)) { try EntityTag(tag) }
        }
        expect(
            EntityTagError(text: "a\"\n").description,
            #"The entity tag "a\"\n" is not valid: a tag must not contain spaces, quotes and control characters; "#
                + "in a header field it is in quotes, with W/ before them if it is weak."
        )
    }

    @Test(arguments: [
        // The table of RFC 9110 §8.8.3.2.
        ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false), ("W/\"1\"", "\"1\"", false, true),
        ("\"1\"", "\"1\"", true, true), ("\"1\"", "\"2\"", false, false), ("\"a\"", "\"A\"", false, false),
        // One text in Unicode, and two in bytes.
        ("\"\u{E9}\"", "\"e\u{301}\"", false, false),
    ])
    func entityTagsMatchStronglyOrWeakly(one: String, other: String, strongly: Bool, weakly: Bool) throws {
        let (one, other) = (try EntityTag(parsing: one), try EntityTag(parsing: other))
        for (left, right) in [(one, other), (other, one)] {
            expect(left.stronglyMatches(right), strongly)
            expect(left.weaklyMatches(right), weakly)
        }
    }
}
