import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct VerifyingDecoderTests {
    private let differences = Locked<[DecodingDifference]>([])

    private var decoder: VerifyingDecoder {
        DefaultDecoder().verified { [differences] difference in differences.withLock { $0.append(difference) } }
    }

    /// A value that the two implementations decode differently.
    private struct Told: Decodable, Equatable {
        let isNative: Bool

        init(from decoder: any Decoder) {
            isNative = decoder.native != nil
        }
    }

    /// An error of one implementation only.
    private struct Choosy: Decodable, Equatable {
        init(from decoder: any Decoder) throws {
            if decoder.native != nil { throw DecodingReason("is native").error(at: []) }
        }
    }

    private struct Ratio: Decodable, Equatable {
        let value: Double

        init(from decoder: any Decoder) {
            value = .nan
        }
    }

    @Test func whatIsDecodedTheSameIsNotReported() throws {
        let body = Data(#"{"a":[1,2.5]}"#.utf8)
        let value: [String: [Double]] = try decoder.decode(data: body)
        #expect(value == ["a": [1, 2.5]])
        #expect(throws: DecodingError.self) { let _: [String: [Int]] = try decoder.decode(data: body) }
        let _: Ratio = try decoder.decode(data: body, response: .made())
        expect(differences.withLock { $0.map(\.description) }, [])
    }

    @Test func aDifferenceIsReportedAndTheValueOfJSONDecoderIsReturned() throws {
        let told: Told = try decoder.decode(data: Data("{}".utf8))
        #expect(!told.isNative)
        let _: Choosy = try decoder.decode(data: Data("{}".utf8))
        let texts = differences.withLock { $0.map(\.description) }
        expect(texts.count, 2)
        #expect(texts[0] == "Told: with JSONDecoder: A value. Natively: A value.")
        expect(texts[1], "Choosy: with JSONDecoder: A value. Natively: The body is native.")
    }
}
