import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct DecodingErrorTextTests {
    private struct Feed: Decodable {
        var posts: [Post]
    }

    private struct Post: Decodable {
        var title: String
        var colour: Colour?
        var tags: [String]?
        var links: [String: URL]?
        var stars: Int8?
    }

    private enum Colour: String, Decodable {
        case red
    }

    private static let sentences: [(String, String)] = [
        (
            #"{"posts":[{"title":"a"},{"title":5}]}"#,
            "The value at 'posts[1].title' is not of the type expected, String."
        ),
        (#"{"posts":[{"title":"a"},{}]}"#, "The value at 'posts[1].title' is missing."),
        (
            #"{"posts":[{"title":null}]}"#,
            "The value at 'posts[0].title' is missing or null where String is expected."
        ),
        (
            #"{"posts":[{"title":"a","colour":"secret"}]}"#,
            "The value at 'posts[0].colour' has a form that its type does not accept."
        ),
        (
            #"{"posts":[{"title":"a","tags":{}}]}"#,
            "The value at 'posts[0].tags' is not of the type expected, an array."
        ),
        (
            #"{"posts":[{"title":"a","links":{"self.x":5}}]}"#,
            #"The value at 'posts[0].links["self.x"]' is not of the type expected, String."#
        ),
        (#"{"posts":["secret"]}"#, "The value at 'posts[0]' is not of the type expected, an object."),
        (#"[]"#, "The body is not of the type expected, an object."),
        ("secret", "The body is not valid JSON, or contains a number that does not fit its type."),
        ("", "The body is not valid JSON, or contains a number that does not fit its type."),
        (
            #"{"posts":[{"title":"a","stars":300}]}"#,
            "The body is not valid JSON, or contains a number that does not fit its type."
        ),
    ]

    @Test(.spec(83, 94), arguments: sentences)
    func aDecodingErrorNamesPathAndTypeButNoValue(body: String, sentence: String) {
        let error = #expect(throws: DecodingError.self) {
            let _: Feed = try DefaultDecoder().decode(data: Data(body.utf8))
        }
        expect(error.map { DecodingErrorText($0, cause: $0.context?.underlyingError).description }, sentence)
    }

    @Test(.spec(94)) func aDecodingErrorNeverQuotesTheTextOfACustomInitialiser() {
        let error = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "Not a key: secret"))
        #expect(
            DecodingErrorText(error, cause: nil).description == "The body has a form that its type does not accept."
        )
    }
}
