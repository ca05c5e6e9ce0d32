import Testing

@testable import NetworkClient

struct DecodedTests {
    @Test func keepsEveryLevelOfAnOptional() throws {
        let inner: Int?? = .some(nil)
        #expect(try Decoded(value: inner).unwrapped(as: Int??.self) == .some(nil))
        #expect(try Decoded(value: Int??.none).unwrapped(as: Int??.self) == .none)
        #expect(try Decoded(value: Int?.none).unwrapped(as: Int?.self) == nil)
        #expect(try Decoded(value: Int?.some(1)).unwrapped(as: Int?.self) == 1)
    }

    @Test func refusesAnotherType() {
        #expect(throws: DecodingError.self) { try Decoded(value: 1).unwrapped(as: Int?.self) }
        #expect(throws: DecodingError.self) { try Decoded(value: Int?.some(1)).unwrapped(as: Int.self) }
    }
}
