import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Which properties of an endpoint are found, and which types are refused.
struct RoutePlanTests {
    private let base = URLRequest.builder(baseURL: url("https://h"))

    private func target(_ endpoint: some RoutedEndpoint) throws -> String {
        String((try endpoint.request(from: base).url?.absoluteString ?? "").dropFirst("https://h".count))
    }

    private func reason(_ endpoint: some RoutedEndpoint) -> RouteError? {
        #expect(throws: RouteError.self) { try endpoint.request(from: base) }
    }

    @Test func propertiesAreFoundAmongPropertiesOfAllKinds() throws {
        let object = Object()
        for number in [1, 2, -3] {
            let endpoint = Crowded(id: UInt8(truncatingIfNeeded: number), object: object, text: "t\(number)", end: true)
            expect(try target(endpoint), "/\(UInt8(truncatingIfNeeded: number))?text=t\(number)&end=true")
        }
    }

    @Test func eachSpecialisationOfAGenericTypeHasItsOwnPlan() throws {
        for _ in 0..<2 {
            expect(try target(Generic(padding: UInt8(1), id: "a")), "/a")
            expect(try target(Generic(padding: (1, 2, 3), id: "b")), "/b")
            expect(try target(Generic(padding: "long enough to be on the heap", id: "c")), "/c")
        }
    }

    @Test func aWrapperInAnOptionalIsLeftOutIfItIsNil() throws {
        expect(try target(Stored(id: .init(wrappedValue: 1), page: nil)), "/1")
        expect(try target(Stored(id: .init(wrappedValue: 1), page: .init(wrappedValue: 2))), "/1?page=2")
        expect(reason(Stored(id: nil, page: nil))?.property, "id")
        expect(try target(Stored(id: .init(wrappedValue: 1), page: .init(wrappedValue: 3, "p"))), "/1?p=3")
    }

    @Test func aPropertyOfAPartThatNoRequestHasIsAnError() {
        expect(reason(Trailing(checksum: 1))?.property, "checksum")
    }

    @Test func aWrapperThatIsHiddenInAnExistentialIsNotAPart() throws {
        let hidden: any Sendable = QueryProperty(wrappedValue: 2)
        expect(try target(Hidden(value: hidden, shown: 1)), "/?shown=1")
    }

    @Test func aLibraryWrapperInsideAnotherWrapperIsAnError() {
        expect(reason(WrappedInside(text: " a "))?.reason.hasPrefix("would not be sent: of several wrappers"), true)
        expect(reason(WrappedInside(text: " a "))?.property, "text")
        expect(reason(NamedOutside())?.property, "text")
    }

    @Test func aLibraryWrapperInAPartOfTheEndpointIsAnError() throws {
        let error = reason(Paged(paging: Paging(page: 1), id: 1))
        expect(error?.property, "paging")
        expect(
            error?.reason.hasPrefix("would not be sent: @Path, @Query and @Header count in the endpoint itself"),
            true
        )
        // An endpoint in an endpoint is sent on its own.
        expect(try target(After(paged: Paged(paging: Paging(page: 1), id: 1), page: 2)), "/?page=2")
    }

    @Test func anotherWrapperInsideALibraryWrapperIsAValueOfItsType() throws {
        expect(try target(WrapperOutside(text: " a ")), "/?text=a")
        let error = #expect(throws: QueryEncodingError.self) { try target(Twice(id: 1)) }
        expect(error?.path, "id")
    }

    @Test func onlyAStructWithoutAMirrorOfItsOwnIsARoutedEndpoint() {
        expect(reason(Class())?.reason, "belongs to Class, which is not a struct")
        expect(reason(Enum.a)?.reason, "belongs to Enum, which is not a struct")
        expect(reason(Isolated())?.reason, "belongs to Isolated, which is not a struct")
        expect(reason(Masked(id: 1))?.reason, "belongs to Masked, whose custom mirror hides its properties")
    }

    @Test func aPropertyThatLooksAsIfItWereSentIsAnErrorIfItIsNot() {
        expect(reason(OtherBody(body: 1))?.description.contains("must be of the type Content"), true)
        expect(reason(StringHeaders())?.description.contains("must be of the type [HeaderField]"), true)
        expect(reason(StringItems())?.description.contains("must be of the type [QueryItem]"), true)
    }

    @Test func twoBodiesOrTwoValuesForOneNameAreErrors() {
        expect(reason(TwoBodies(body: 1, other: 2))?.description.contains("'other' is a second body"), true)
        expect(reason(TwoMarks(one: 1, other: 2))?.description.contains("'other' is a second body"), true)
        expect(reason(TwoValues(one: 1, other: 2))?.description.contains("'id' has more than one @Path value"), true)
    }

    @Test func aTypeIsPlannedByManyTasksAtOnce() async throws {
        try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<64 { group.addTask { try target(Contended(id: number)) } }
            var targets: Set<String> = []
            for try await target in group { targets.insert(target) }
            expect(targets, Set((0..<64).map { "/\($0)" }))
        }
    }
}

// MARK: - Endpoints

private final class Object: Sendable {}

private protocol Marker: Sendable {}
extension Int: Marker {}

private struct Crowded: RoutedEndpoint {
    static let route: Route = .get("/:id")
    let first = true
    @Path var id: UInt8
    let anything: any Sendable = QueryProperty(wrappedValue: 7)
    let value: any Marker = 4
    let error: any Error = CancellationError()
    let object: Object
    let closure: @Sendable () -> Void = {}
    let pair: (Int8, Int16) = (1, 2)
    unowned let unownedObject: Object
    @Query var text: String
    let small: Bool? = nil
    let noValue: (any Marker)? = nil
    @Query var end: Bool

    init(id: UInt8, object: Object, text: String, end: Bool) {
        self.id = id
        self.object = object
        unownedObject = object
        self.text = text
        self.end = end
    }
}

private struct Generic<Padding: Sendable>: RoutedEndpoint {
    static var route: Route { .get("/:id") }
    let padding: Padding
    @Path var id: String
}

private enum TrailerPart: RequestPart {}

private struct Trailing: RoutedEndpoint {
    static let route: Route = .get("/")
    @EndpointProperty<TrailerPart, Int> var checksum: Int
}

private struct Stored: RoutedEndpoint {
    static let route: Route = .get("/:id")
    let id: Path<Int>?
    let page: Query<Int>?
}

private struct Paging: Sendable {
    @QueryProperty var page: Int
}

private struct Paged: RoutedEndpoint {
    static let route: Route = .get("/:id")
    let paging: Paging
    @Path var id: Int
}

private struct After: RoutedEndpoint {
    static let route: Route = .get("/")
    let paged: Paged
    @Query var page: Int
}

private struct Hidden: RoutedEndpoint {
    static let route: Route = .get("/")
    let value: any Sendable
    @Query var shown: Int
}

@propertyWrapper
private struct Trimmed<Value: Sendable>: Sendable {
    var wrappedValue: Value
}

extension Trimmed: Encodable where Value == String {
    func encode(to encoder: any Encoder) throws {
        try wrappedValue.trimmingCharacters(in: .whitespaces).encode(to: encoder)
    }
}

private struct NamedOutside: RoutedEndpoint {
    static let route: Route = .get("/")
    @Named("q") @Query var text = "a"
}

private struct WrappedInside: RoutedEndpoint {
    static let route: Route = .get("/")
    @Trimmed @Query var text: String
}

private struct WrapperOutside: RoutedEndpoint {
    static let route: Route = .get("/")
    @Query @Trimmed var text: String
}

private struct Twice: RoutedEndpoint {
    static let route: Route = .get("/")
    @Query @Path var id: Int
}

private final class Class: RoutedEndpoint {
    static let route: Route = .get("/")
    let page = QueryProperty(wrappedValue: 1)
}

private enum Enum: RoutedEndpoint {
    case a
    static let route: Route = .get("/")
}

private actor Isolated: RoutedEndpoint {
    static let route: Route = .get("/")
}

private struct Masked: RoutedEndpoint, CustomReflectable {
    static let route: Route = .get("/:id")
    @Path var id: Int
    var customMirror: Mirror { Mirror(self, children: []) }
}

private struct OtherBody: RoutedEndpoint {
    typealias Content = Never?
    static let route: Route = .post("/")
    let body: Int
}

private struct StringHeaders: RoutedEndpoint {
    static let route: Route = .get("/")
    let headers: [String: String?] = ["Authorization": "Bearer your-token"]
}

private struct StringItems: RoutedEndpoint {
    static let route: Route = .get("/")
    let queryItems = ["a": "b"]
}

private struct TwoBodies: RoutedEndpoint {
    static let route: Route = .post("/")
    let body: Int
    @Body var other: Int
}

private struct TwoMarks: RoutedEndpoint {
    static let route: Route = .post("/")
    @Body var one: Int
    @Body var other: Int
}

private struct TwoValues: RoutedEndpoint {
    static let route: Route = .get("/:id")
    @Path("id") var one = 0
    @Path("id") var other = 0
}

private struct Contended: RoutedEndpoint {
    static let route: Route = .get("/:id")
    @Path var id: Int
}
