import Foundation
import NetworkClientMacros
import NetworkTestSupport

/// Endpoints with values of all types.
enum Values {
    @Get("/:kind.json/x:y/::/{folders}/{from}-{upTo}:batch/:kind/a\\b\"c")
    struct Segments {
        @Path var kind: Kind
        @Path var folders: [String]
        @Path var from: UInt8
        @Path("upTo") var end: Int
    }

    @Get("/items")
    struct Items {
        @Query var page: Int?
        @Query var price: Double
        @Query var since: Date
        @Query("tag[]") var tags: [String]
        @Query var sizes: [Double]?
        @Query var kinds: [Kind]
        @Query var filter: Filter
        @Query var `default`: Bool
        @Query var id: UUID
        @Query("a&b") var text: String
    }

    @Get("/fields")
    struct Fields {
        @Header var accept: [MediaType]
        @Header var contentMD5Sum: MediaType?
        @Header var ifNoneMatch: [EntityTag]?
        @Header var ifMatch: EntityTag
        @Header var ifModifiedSince: Date
        @Header var authorization: Credential?
        @Header var xURLOfHTTP2Server: URL
        @Header var x_trace: String?
        @Header var languages: [String]
        @Header("X-House") var number: Int
        @Header var isOpen: Bool
        @Header var price: Double
        @Header var kind: Kind
        @Header var Upper: UUID?
        @Header var aB1C: [Int]
        @HeaderFieldsBuilder var headers: [HeaderField] {
            get throws {
                try HeaderField(name: "X-Last", value: "1")
                HeaderField.custom(name: "x-house", value: "2")
            }
        }
    }

    @Delete("/items")
    struct Send<Content: Encodable & Sendable> {
        @Body var content: Content
        @Query var isForced: Bool
    }

    @Delete("/items")
    struct SendParams {
        @Body var content: [String: any Sendable]
        @Query var isForced: Bool
    }

    @Method("QUERY", "/items")
    struct Find<Content: RequestBody> {
        @Body var content: Content
    }

    @Patch("/items")
    struct Empty {}

    static let all =
        [segments, items, fields, Twins("PATCH /items", Empty(), Routed.Empty())]
        + [bytes, text, Twins("DELETE /items?isForced=true", send(Filter()), routed(Filter()))]
        + [Twins("DELETE /items?isForced=true", send(nil as Filter?), routed(nil as Filter?)), params]
        + [Twins("DELETE /items?isForced=true", send("b" as String?), routed("b" as String?))]
        + [Twins("DELETE /items?isForced=true", send(Tagged(tag: "c")), routed(Tagged(tag: "c")))]
        + [Twins("QUERY /items", Find(content: form), Routed.Find(content: form))]

    /// A value that could be sent as JSON, too.
    private struct Tagged: Encodable, RequestBody {
        let tag: String
        var mediaType: MediaType? { "text/x-tag" }

        func makeContent() -> RequestContent { .data(Data(tag.utf8)) }
    }

    // Generic code knows the kind of the body only when it runs.
    private static let bytes = Twins("DELETE /items?isForced=true", send(Data([1])), routed(Data([1])))
    private static let text = Twins("DELETE /items?isForced=true", send("a"), routed("a"))
    private static let form = URLEncodedForm(pairs: ["a": "b c"])

    private static func send(_ content: some Encodable & Sendable) -> any Endpoint {
        Send(content: content, isForced: true)
    }

    private static func routed(_ content: some Sendable) -> any Endpoint {
        Routed.Send(content: content, isForced: true)
    }

    private static var params: Twins {
        let params: [String: any Sendable] = ["a": 1, "b": "c"]
        return Twins(
            "DELETE /items?isForced=true",
            SendParams(content: params, isForced: true),
            routed(params)
        )
    }

    private static var segments: Twins {
        Twins(
            "GET /all.json/x:y/:/a%20b/c%2Fd/1-2:batch/all/a%5Cb%22c",
            Segments(kind: .all, folders: ["a b", "c/d"], from: 1, end: 2),
            Routed.Segments(kind: .all, folders: ["a b", "c/d"], from: 1, end: 2)
        )
    }

    private static let id = UUID()

    private static var items: Twins {
        let date = Date(timeIntervalSince1970: 1.5)
        return Twins(
            "GET /items?price=0.5&since=1970-01-01T00%3A00%3A01.500Z&tag%5B%5D=a%2Bb&tag%5B%5D=&kinds=all"
                + "&filter%5Bsize%5D=2&default=true&id=\(id)&a%26b=%C3%A9",
            Items(
                page: nil,
                price: 0.5,
                since: date,
                tags: ["a+b", ""],
                sizes: [],
                kinds: [.all],
                filter: Filter(),
                default: true,
                id: id,
                text: "é"
            ),
            Routed.Items(
                page: nil,
                price: 0.5,
                since: date,
                tags: ["a+b", ""],
                sizes: [],
                kinds: [.all],
                filter: Filter(),
                default: true,
                id: id,
                text: "é"
            )
        )
    }

    private static var fields: Twins {
        let (date, tags) = (Date(timeIntervalSince1970: 784_111_777), ["a", "b"].compactMap { try? EntityTag($0) })
        return Twins(
            "GET /fields",
            Fields(
                accept: [.json, .xml],
                contentMD5Sum: .json,
                ifNoneMatch: tags,
                ifMatch: tags[0],
                ifModifiedSince: date,
                authorization: .bearer("t"),
                xURLOfHTTP2Server: url("https://h/?a=b"),
                x_trace: nil,
                languages: ["el", "en"],
                number: 1,
                isOpen: true,
                price: 0.5,
                kind: .all,
                Upper: id,
                aB1C: [1, 2]
            ),
            Routed.Fields(
                accept: [.json, .xml],
                contentMD5Sum: .json,
                ifNoneMatch: tags,
                ifMatch: tags[0],
                ifModifiedSince: date,
                authorization: .bearer("t"),
                xURLOfHTTP2Server: url("https://h/?a=b"),
                x_trace: nil,
                languages: ["el", "en"],
                number: 1,
                isOpen: true,
                price: 0.5,
                kind: .all,
                Upper: id,
                aB1C: [1, 2]
            )
        )
    }
}
