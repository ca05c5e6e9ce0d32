import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct URLTextConvertibleTests {
    private enum Section: String, URLTextConvertible {
        case posts
        case photos = "my photos"
    }

    private enum Level: Int8, URLTextConvertible {
        case low = -1
    }

    private struct Name: RawRepresentable, URLTextConvertible {
        let rawValue: Substring
    }

    private struct UserID: RawRepresentable, URLTextConvertible {
        let rawValue: Int
        var urlText: String { "u\(rawValue)" }
    }

    @Test func takesTheTextOfTheRawValue() {
        #expect(Section.posts.urlText == "posts")
        #expect(Section.photos.urlText == "my photos")
        #expect(Level.low.urlText == "-1")
        #expect(Name(rawValue: "ada").urlText == "ada")
    }

    @Test func prefersATextOfTheTypesOwn() {
        #expect(UserID(rawValue: 42).urlText == "u42")
    }

    @Test func canBeHeldWithoutItsType() {
        let values: [any URLTextConvertible] = ["a", 1, true, Section.posts]
        #expect(values.map(\.urlText) == ["a", "1", "true", "posts"])
    }
}
