import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import JSONDecoding
@testable import NetworkClient

struct MediaTypeDecoderTests {
    /// Decodes every body as its own name.
    private struct NamedDecoder: DecoderProtocol {
        let name: String

        func decode<T: Decodable>(data: Data) throws -> T {
            try DefaultDecoder().decode(data: Data("\"\(name)\"".utf8))
        }
    }

    private static let decoder = MediaTypeDecoder([
        .json: NamedDecoder(name: "json"),
        .problemJSON: NamedDecoder(name: "problem"),
        .xml: NamedDecoder(name: "xml"),
        MediaType("Text/*"): NamedDecoder(name: "text"),
        MediaType("text/csv; header=present"): NamedDecoder(name: "csv"),
    ])

    private func name(_ type: String?, with decoder: any DecoderProtocol = decoder) throws -> String {
        let head = HTTPURLResponse.made(headers: type.map { ["Content-Type": $0] } ?? [:])
        return try decoder.decode(data: Data("[]".utf8), response: head)
    }

    @Test(
        arguments: [
            ("application/json", "json"), ("APPLICATION/JSON; charset=utf-8", "json"), ("text/json", "json"),
            ("application/vnd.api+json; v=1", "json"), ("application/problem+json", "problem"),
            ("application/atom+xml", "xml"), ("image/svg+xml", "xml"), ("application/xml", "xml"),
            ("text/html", "text"), ("text/csv", "csv"), ("text/csv; header=absent", "csv"),
        ]
    )
    func theDecoderIsTheOneForTheMediaType(type: String, expected: String) throws {
        expect(try name(type), expected)
    }

    @Test(arguments: ["image/png", "application/yaml", "application/x+yaml", "", "png", nil] as [String?])
    func aMediaTypeWithoutADecoderHasTheDecoderForAllTypes(type: String?) throws {
        let decoder = MediaTypeDecoder([.any: NamedDecoder(name: "any"), .json: NamedDecoder(name: "json")])
        expect(try name(type, with: decoder), "any")
        expect(try name("application/json", with: decoder), "json")
        expect(try decoder.decode(data: Data()), "any")
    }

    @Test(.spec(83)) func aTypeWithoutADecoderIsAnErrorThatNamesIt() throws {
        func sentence(_ type: String?) -> String? {
            let error = #expect(throws: DecodingError.self) { try name(type) }
            return error.map { DecodingErrorText.sentence(for: $0) }
        }
        let known = "application/json, application/problem+json, application/xml, text/*, text/csv"
        let end = "for which there is no decoder (there are decoders for \(known))."
        expect(sentence("image/png; secret=x"), "The body is of the media type 'image/png', \(end)")
        let missing = "The body has no media type, \(end)"
        expect(sentence(nil), missing)
        expect(sentence("png"), missing)
    }

    @Test(.spec(65)) func dataIsTheBytesOfAnyResponse() throws {
        let head = HTTPURLResponse.made(headers: ["Content-Type": "image/png"])
        expect(try Self.decoder.decode(data: Data([1, 2]), response: head), Data([1, 2]))
    }

    @Test(arguments: TransportUnderTest.all)
    func fetchDecodesByTheTypeOfTheResponse(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { request in
            request.target == "/json" ? .json("[1]") : .respond(headers: ["Content-Type": "text/csv"], body: "1")
        }
        let decoder = MediaTypeDecoder([.json: .default.handlingOptionalResponses, .csv: NamedDecoder(name: "csv")])
        let client = try transport.client(decoder: decoder)
        let json = URLRequest(url: server.url.appendingPathComponent("json"))
        let numbers: NetworkClient.Response<[Int]> = try await client.fetch(request: json)
        expect(numbers.item, [1])
        let csv: NetworkClient.Response<String> = try await client.fetch(request: URLRequest(url: server.url))
        expect(csv.item, "csv")
    }
}
