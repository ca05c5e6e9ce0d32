import Foundation
import Testing

@testable import NetworkUtilities

/// What becomes of a key that a value encodes more than once.
struct FormValueEncoderKeysTests {
    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try DefaultFormEncoder().encode(of: value), as: UTF8.self)
            .replacingOccurrences(of: "%5B", with: "[").replacingOccurrences(of: "%5D", with: "]")
    }

    private enum Key: String, CodingKey { case a, b, c }

    /// Encodes itself by a closure.
    private struct Custom: Encodable {
        let body: @Sendable (any Encoder) throws -> Void

        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    @Test func aSuperEncoderContinuesAKeyThatWasEncoded() throws {
        let unused = Custom { encoder in
            var object = encoder.container(keyedBy: Key.self)
            try object.encode(1, forKey: .a)
            try object.encode(2, forKey: .b)
            _ = object.superEncoder(forKey: .a)
        }
        #expect(try text(unused) == "a=1&b=2")
        let single = Custom { encoder in
            var object = encoder.container(keyedBy: Key.self)
            try object.encode(1, forKey: .a)
            try object.encode(2, forKey: .b)
            var container = object.superEncoder(forKey: .a).singleValueContainer()
            try container.encode(3)
        }
        #expect(try text(single) == "a=3&b=2")
        let encodedAgain = Custom { encoder in
            var object = encoder.container(keyedBy: Key.self)
            var container = object.superEncoder(forKey: .a).singleValueContainer()
            try container.encode(1)
            try object.encode(2, forKey: .b)
            try object.encode(3, forKey: .a)
        }
        #expect(try text(encodedAgain) == "a=3&b=2")
    }

    @Test func severalContainersOfAKeyAreMerged() throws {
        let value = Custom { encoder in
            var object = encoder.container(keyedBy: Key.self)
            var nested = object.nestedContainer(keyedBy: Key.self, forKey: .a)
            try nested.encode(1, forKey: .b)
            var again = object.superEncoder(forKey: .a).container(keyedBy: Key.self)
            try again.encode(2, forKey: .c)
            try nested.encode(3, forKey: .a)
        }
        #expect(try text(value) == "a[b]=1&a[c]=2&a[a]=3")
    }

    @Test func aKeyThatIsEncodedInTwoWaysIsAnError() {
        let values = [
            Custom { encoder in
                var object = encoder.container(keyedBy: Key.self)
                try object.encode(1, forKey: .a)
                _ = object.superEncoder(forKey: .a).container(keyedBy: Key.self)
            },
            Custom { encoder in
                var object = encoder.container(keyedBy: Key.self)
                try object.encode(1, forKey: .a)
                _ = object.nestedUnkeyedContainer(forKey: .a)
            },
            Custom { encoder in
                var object = encoder.container(keyedBy: Key.self)
                _ = object.nestedContainer(keyedBy: Key.self, forKey: .a)
                _ = object.nestedUnkeyedContainer(forKey: .a)
            },
            Custom { encoder in
                var object = encoder.container(keyedBy: Key.self)
                _ = object.nestedContainer(keyedBy: Key.self, forKey: .a)
                try object.encode(Int8(2), forKey: .a)
            },
        ]
        for value in values {
            #expect(throws: BodyEncodingError.form(path: "v[a]", reason: "encodes itself in two ways")) {
                try text(["v": value])
            }
        }
    }

    @Test func aTextUnderAKeyThatHasAContainerIsAnError() {
        let value = Custom { encoder in
            var object = encoder.container(keyedBy: Key.self)
            var nested = object.nestedContainer(keyedBy: Key.self, forKey: .a)
            try nested.encode(1, forKey: .b)
            try object.encode("x", forKey: .a)
        }
        let error = #expect(throws: BodyEncodingError.self) { try text(["v": value]) }
        guard case .form(_, let reason) = error else { return }
        #expect(reason == "encodes itself in two ways")
    }
}
