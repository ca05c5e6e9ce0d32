import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import JSONDecoding
@testable import NetworkClient

/// What ends a decoding: the work it takes, a cancel, the limit of the call.
struct DecodingBudgetTests {
    private struct Item: Decodable, Sendable {
        let number: Int
    }

    private struct Name: Decodable, Sendable {
        let name: String
    }

    private static let objects = Data(("[" + Array(repeating: "{}", count: 20_000).joined(separator: ",") + "]").utf8)

    private static func decode<Value: Decodable>(_ type: Value.Type, _ isNative: Bool) throws -> Value {
        var decoder = DefaultDecoder()
        decoder.implementation = isNative ? .native : .foundation
        return try decoder.decode(data: objects)
    }

    @Test(.spec(217), arguments: [true, false])
    func aCancelledTaskDecodesNoLongArrayOfTheLibrarysTypes(isNative: Bool) async {
        func outcome<Value: Decodable & Sendable>(_ type: Value.Type) async -> Bool {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try DecodingScope(until: nil).decode { try Self.decode(type, isNative) }
            }
            return await task.result.error is CancellationError
        }
        #expect(await outcome(LossyArray<Item>.self))
        #expect(await outcome([Either<Item, Name>].self))
        #expect(await outcome(LossyArray<Either<Item, Name>>.self))
        // JSONDecoder can't be interrupted otherwise.
        expect(await outcome([[String: Item]].self), isNative)
    }

    /// A clock on which each look takes a second.
    private final class LookedAtClock: TimeSource {
        private let looks = Locked(0.0)

        var now: Double {
            looks.withLock { looks in
                looks += 1
                return looks
            }
        }

        func sleep(seconds: Double) async throws {}
    }

    /// Returns whether a decoding ends with its limit after so many looks at the clock.
    private func ends<Value: Decodable>(_ type: Value.Type, _ text: String, after looks: Double) -> Bool {
        let limit = TimeLimit(end: looks, on: LookedAtClock())
        let scope = DecodingScope { limit.remaining <= 0 }
        do {
            _ = try scope.decode { try DefaultDecoder().decode(data: Data(text.utf8)) as Value }
            return false
        } catch {
            return DecodingScope.ends(with: error)
        }
    }

    private struct Member<Value: Decodable>: Decodable {
        let a: Value
    }

    /// The scan looks at the clock six times, decoding the values at least twenty times.
    @Test(.spec(217)) func theMostFrequentTypesEndWithTheLimitOfTheirCallToo() {
        func check<Value: Decodable>(_ type: Value.Type, _ element: String) {
            let isObject = element.contains(":")
            let elements = (0..<20_000).map { element.replacingOccurrences(of: "@", with: String($0)) }
                .joined(separator: ",")
            let text = isObject ? "{\(elements)}" : "[\(elements)]"
            #expect(ends(type, text, after: 20), "\(type)")
            #expect(ends(Member<Value>.self, "{\"a\":\(text)}", after: 20), "\(type) as a member")
        }
        check([String].self, #""x""#)
        check([Int].self, "1")
        check([Double].self, "1.5")
        check([Bool].self, "true")
        check(Set<String>.self, #""x@""#)
        check([String: String].self, #""@":"x""#)
        check([String: Int].self, #""@":1"#)
        check(JSONTree.self, "1")
        check(JSONTree.self, #""@":1"#)
        // One key, again and again, and keys that are not plain.
        check([String: Double].self, #""x":1.5"#)
        check([String: String].self, #""\u0061@":"x""#)
    }

    private struct Unread: Decodable {
        static let count = Locked(0)

        init(from decoder: any Decoder) throws {
            Self.count.withLock { $0 += 1 }
        }
    }

    @Test(.spec(217)) func theScanBeforeTheFirstValueEndsWithTheLimitOfTheCall() {
        let text = "[" + Array(repeating: "{}", count: 20_000).joined(separator: ",") + "]"
        #expect(ends([Unread].self, text, after: 4))
        expect(Unread.count.withLock { $0 }, 0)
    }

    @Test(.spec(79, 217)) func theElementsThatAreDroppedAfterAThousandAreStillCounted() throws {
        let array = try Self.decode(LossyArray<Either<Item, Name>>.self, true)
        expect(array.dropCount, 20_000)
        expect(array.drops.count, 1_000)
        expect(array.drops.last?.description, "[999]: The value at '[999].number' is missing.")
    }

    /// An object that has all its members again in each level: each second attempt would read all levels below it.
    @Test(.spec(217)) func alternativesOfWideObjectsTakeWorkInProportionToTheBody() {
        let members = (0..<500).map { #""\u0061\#($0)":0,"# }.joined()
        let depth = 30
        let begin = String(repeating: #"{\#(members)"next":"#, count: depth)
        let body = begin + "{}" + String(repeating: "}", count: depth)
        let error = #expect(throws: DecodingError.self) {
            let _: Either<First, Second> = try DefaultDecoder().decode(data: Data(body.utf8))
        }
        let sentence = error.map { DecodingErrorText.sentence(for: $0) } ?? ""
        #expect(sentence.hasSuffix("has too many alternatives to try.") || sentence.contains("missing"))
    }

    private final class First: Decodable, Sendable {
        let next: Either<First, Second>
        let id: Int
    }

    private final class Second: Decodable, Sendable {
        let next: Either<First, Second>
        let other: Int
    }

    private func late(clock: TestClock) -> ClosureInterceptor {
        ClosureInterceptor { request, next in
            let result = try await next(request)
            clock.advance(by: 100)
            return result
        }
    }

    @Test(.spec(112, 217)) func aResponseThatAnInterceptorReturnsAfterTheDeadlineIsDecoded() async throws {
        let transport = ClosureTransport { _ in (Self.objects, HTTPURLResponse.made()) }
        let clock = TestClock()
        let client = NetworkClient(
            transport: transport,
            interceptors: [late(clock: clock), .deadline(30)],
            logging: .off,
            configuration: .init(time: clock)
        )
        let response: NetworkClient.Response<LossyArray<Item>> = try await client.fetch(
            request: URLRequest(url: url("https://h/"))
        )
        expect(response.item.dropCount, 20_000)
    }

    /// Lets the time of the test's clock pass while it is decoded.
    private struct Slow: Decodable, Sendable {
        static let clock = TestClock()

        init(from decoder: any Decoder) throws {
            Self.clock.advance(by: 0.01)
        }
    }

    @Test(.spec(217)) func decodingEndsWhenTheDeadlineOfItsCallPasses() async throws {
        let transport = ClosureTransport { _ in (Self.objects, HTTPURLResponse.made()) }
        let client = NetworkClient(
            transport: transport,
            interceptors: [.deadline(30)],
            logging: .off,
            configuration: .init(time: Slow.clock)
        )
        let request = URLRequest(url: url("https://h/"))
        let error = await #expect(throws: NetworkClient.Error.self) {
            let _: NetworkClient.Response<[Slow]> = try await client.fetch(request: request)
        }
        expect(error?.transportReason, .timedOut)
        expect(error?.description, contains: "it took longer than its deadline of 30 s")
        // Until then, 200 s would have passed.
        #expect(Slow.clock.now < 40)
    }
}

extension Result {
    fileprivate var error: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}
