import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import JSONDecoding
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
        ("secret", "The body is not valid JSON: a value is expected, at byte 0."),
        ("", "The body is not valid JSON: the text ends too early, at byte 0."),
        (
            #"{"posts":[{"title":"a","stars":300}]}"#,
            "The value at 'posts[0].stars' is invalid: a number does not fit its type, at byte 31."
        ),
        (
            #"{"posts":[{"title":"\ud800"}]}"#,
            "The value at 'posts[0].title' is invalid: a string has an invalid escape sequence or a control character, "
                + "at byte 20."
        ),
    ]

    @Test(.spec(83, 94), arguments: sentences)
    func aDecodingErrorNamesPathAndTypeButNoValue(body: String, sentence: String) {
        let error = #expect(throws: DecodingError.self) {
            var decoder = DefaultDecoder()
            decoder.implementation = .native
            let _: Feed = try decoder.decode(data: Data(body.utf8))
        }
        expect(error.map { DecodingErrorText($0, cause: $0.context?.underlyingError).description }, sentence)
    }

    /// Foundation tells neither place nor reason.
    @Test(.spec(94), arguments: ["secret", "", #"{"posts":[{"title":"a","stars":300}]}"#])
    func anErrorOfJSONDecoderSaysThatTheTextOrANumberIsInvalid(body: String) {
        let error = #expect(throws: DecodingError.self) {
            var decoder = DefaultDecoder()
            decoder.implementation = .foundation
            let _: Feed = try decoder.decode(data: Data(body.utf8))
        }
        let sentence = error.map { DecodingErrorText($0, cause: $0.context?.underlyingError).description }
        expect(sentence, "The body is not valid JSON, or contains a number that does not fit its type.")
    }

    @Test(.spec(94)) func aDecodingErrorNeverQuotesTheTextOfACustomInitialiser() {
        let error = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "Not a key: secret"))
        expect(
            DecodingErrorText(error, cause: nil).description,
            "The body has a form that its type does not accept."
        )
    }

    @Test(.spec(83), arguments: [DefaultDecoder.Implementation.native, .foundation])
    func aBodyThatIsNotJSONAtAllSaysWhatItIs(implementation: DefaultDecoder.Implementation) async {
        let transport = ClosureTransport { request in
            let type = request.url?.lastPathComponent == "html" ? "text/html; charset=utf-8" : "application/json"
            return (Data("<html>".utf8), HTTPURLResponse.made(headers: ["Content-Type": type]))
        }
        var decoder = DefaultDecoder()
        decoder.implementation = implementation
        let client = NetworkClient(transport: transport, decoder: decoder, logging: .off)
        func failure(_ path: String) async -> String {
            let request = URLRequest(url: url("https://h/\(path)"))
            let error = await #expect(throws: NetworkClient.Error.self) {
                let _: NetworkClient.Response<[Int]> = try await client.fetch(request: request)
            }
            return error?.description ?? ""
        }
        #expect(await failure("html").hasSuffix(" cannot be decoded: it is text/html, not JSON."))
        expect(await failure("json"), contains: "cannot be decoded: the body is not valid JSON")
    }
}
