import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

private protocol Stamped {
    var stamp: Int { get set }
}

struct MappingDecoderTests {
    private struct Page: Codable, Equatable, Stamped {
        var stamp: Int
    }

    private struct Other: Codable, Equatable {
        var stamp: Int
    }

    private struct Outdated: Error, Equatable {}

    private static let increasing: any DecoderProtocol = .default.mapping { (page: Page) in
        Page(stamp: page.stamp + 1)
    }

    private func decode<T: Decodable>(
        _ text: String,
        as type: T.Type = T.self,
        with decoder: any DecoderProtocol = increasing
    ) throws -> T {
        try decoder.decode(data: Data(text.utf8))
    }

    @Test(.spec(82)) func valuesOfTheTypeAreMappedAndNoOthers() throws {
        expect(try decode(#"{"stamp":1}"#), Page(stamp: 2))
        expect(try decode(#"{"stamp":1}"#, as: Page?.self), Page(stamp: 2))
        expect(try decode("null", as: Page?.self), nil)
        expect(try decode(#"{"stamp":1}"#), Other(stamp: 1))
        expect(try decode(#"[{"stamp":1}]"#), [Page(stamp: 1)])
    }

    @Test(.spec(70, 82)) func theNilOfAnotherOptionalIsNotMapped() throws {
        let decoder: any DecoderProtocol = .default.handlingOptionalResponses.mapping { (page: Page?) in
            guard let page else { throw Outdated() }
            return page
        }
        expect(try decode("", as: Other?.self, with: decoder), nil)
        #expect(throws: Outdated.self) { try decode("", as: Page?.self, with: decoder) }
        expect(try decode(#"{"stamp":1}"#, as: Page?.self, with: decoder), Page(stamp: 1))
    }

    @Test(.spec(78, 82)) func aStepMayDecodeAnotherEnvelope() throws {
        let decoder: any DecoderProtocol = .default.mapping { (page: Page) in
            let body = Data(#"{"inner":{"stamp":5}}"#.utf8)
            let inner: Page = try DefaultDecoder().unwrapping("inner").decode(data: body)
            return Page(stamp: page.stamp + inner.stamp)
        }
        expect(try decode(#"{"data":{"stamp":1}}"#, with: decoder.unwrapping("data")), Page(stamp: 6))
    }

    @Test(.spec(82)) func valuesOfAllTypesOfAProtocolAreMapped() throws {
        let decoder = DefaultDecoder().mapping { (value: any Stamped) in
            var value = value
            value.stamp *= 10
            return value
        }
        expect(try decode(#"{"stamp":1}"#, with: decoder), Page(stamp: 10))
        expect(try decode(#"{"stamp":1}"#, with: decoder), Other(stamp: 1))
        let seen = Locked<[String]>([])
        let watching = DefaultDecoder().mapping(Any.self) { value in
            seen.withLock { $0.append("\(type(of: value))") }
            return value
        }
        expect(try decode("[1]", with: watching), [1])
        expect(try decode("null", as: Int?.self, with: watching), nil)
        expect(seen.withLock { $0.first }, "Array<Int>")
    }

    @Test(.spec(82)) func aMappingToAnotherTypeIsAnError() {
        struct Wrong: Stamped { var stamp = 0 }
        let decoder = DefaultDecoder().mapping { (_: any Stamped) in Wrong() }
        #expect(throws: DecodingError.self) { try decode(#"{"stamp":1}"#, as: Page.self, with: decoder) }
    }

    @Test(.spec(78, 82)) func theValueInAnEnvelopeIsMappedInEitherOrder() throws {
        let decoders: [any DecoderProtocol] = [
            Self.increasing.unwrapping("page"),
            .default.unwrapping("page").mapping { (page: Page) in Page(stamp: page.stamp + 1) },
            Self.increasing.handlingOptionalResponses.unwrappingEnvelope,
        ]
        for decoder in decoders {
            expect(try decode(#"{"page":{"stamp":1}}"#, with: decoder), Page(stamp: 2))
            expect(try decode(#"{"page":{"stamp":1}}"#, as: Page?.self, with: decoder), Page(stamp: 2))
            expect(try decode(#"{"page":null}"#, as: Page?.self, with: decoder), nil)
        }
    }

    @Test(.spec(82, 92)) func theErrorOfAMappingReachesTheCallerUnchangedWithoutAnotherAttempt() async throws {
        let transport = StubTransport()
        transport.on(.any, .json(Page(stamp: 1)))
        let reports = Locked<[CallReport]>([])
        let client = NetworkClient(
            transport: transport,
            interceptors: [.retry()],
            decoder: .default.mapping { (_: Page) in throw Outdated() },
            configuration: .init(observer: { report in reports.withLock { $0.append(report) } })
        )
        await #expect(throws: Outdated()) {
            let _: NetworkClient.Response<Page> = try await client.fetch(
                request: URLRequest(url: url("https://api.example.com/page"))
            )
        }
        expect(transport.requests.count, 1)
        expect(reports.withLock { $0.map { $0.error as? Outdated } }, [Outdated()])
    }
}
