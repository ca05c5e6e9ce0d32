#if os(Linux)
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CurlEnginesTests {
    private func makeEngines() throws -> CurlEngines {
        try #require(CurlLibrary.problem == nil)
        return CurlEngines(configuration: .init())
    }

    private func indices(of place: String, _ count: Int, in engines: CurlEngines) throws -> [Int] {
        let origin = Origin(of: url(place))
        return try (0..<count).map { _ in try engines.take(for: origin, isStream: false).index }
    }

    @Test func fewExchangesStayWithOneEngine() throws {
        let engines = try makeEngines()
        defer { engines.close() }
        #expect(try indices(of: "http://a", 8, in: engines) == Array(repeating: 0, count: 8))
        engines.giveBack(0, isStream: false)
        #expect(try indices(of: "http://b", 1, in: engines) == [0])
    }

    @Test func streamsThatWaitMakeNoEngineBusy() throws {
        let engines = try makeEngines()
        defer { engines.close() }
        let origin = Origin(of: url("https://a"))
        for _ in 1...20 { #expect(try !engines.take(for: origin, isStream: true).isBusy) }
        let places = try (1...5).map { _ in try engines.take(for: origin, isStream: false) }
        #expect(places.map(\.isBusy) == [false, false, false, false, true])
        engines.giveBack(places[0].index, isStream: false)
        engines.giveBack(places[0].index, isStream: true)
        #expect(try engines.take(for: origin, isStream: false).isBusy)
    }

    @Test func manyExchangesAreDividedBetweenAllEngines() throws {
        let engines = try makeEngines()
        defer { engines.close() }
        let taken = try indices(of: "http://a", 100 * CurlEngines.most, in: engines)
        for index in 0..<CurlEngines.most { #expect(taken.filter { $0 == index }.count == 100) }
    }

    @Test func theExchangesOfASecureOriginStayWithOneEngine() throws {
        let engines = try makeEngines()
        defer { engines.close() }
        let taken = try indices(of: "HTTPS://a", 100, in: engines)
        #expect(Set(taken).count == 1)
        let more = try indices(of: "HTTPS://a", 1, in: engines)
        #expect(more.first == taken.last)
    }

    /// HTTP/1.1 has a connection for each exchange, and TLS takes processor time.
    @Test(.enabled(if: CurlEngines.most > 1, "one processor, one engine"))
    func theExchangesOfASecureOriginThatRespondedWithHTTP1AreDivided() throws {
        let engines = try makeEngines()
        defer { engines.close() }
        let origin = Origin(of: url("https://a"))
        engines.responded(origin, sharesConnection: false)
        #expect(Set(try indices(of: "https://a", 100, in: engines)).count == CurlEngines.most)
        engines.responded(origin, sharesConnection: true)
        #expect(Set(try indices(of: "https://a", 100, in: engines)).count == 1)
    }

    @Test(.spec(302), .enabled(if: CurlEngines.most > 1, "one processor, one engine"))
    func aNewSecureOriginGetsTheEngineWithTheLeastWork() throws {
        let engines = try makeEngines()
        defer { engines.close() }
        let busy = try indices(of: "https://a", 20, in: engines)[0]
        let others = try (1...10).map { try indices(of: "https://b\($0)", 1, in: engines)[0] }
        #expect(!others.contains(busy))
        #expect(try indices(of: "https://b1", 1, in: engines) == [others[0]])
    }

    @Test(.spec(299)) func aSecureOriginMovesOnToAnotherEngine() throws {
        let engines = try makeEngines()
        defer { engines.close() }
        let first = try indices(of: "https://a", 1, in: engines)
        engines.moveOn(Origin(of: url("https://a")))
        #expect(try indices(of: "https://a", 1, in: engines) != first)
    }
}
#endif
