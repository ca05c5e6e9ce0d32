import NetworkClient
import Testing

// This file doesn't import the macros, whose names would come before those of the property wrappers.

/// A request that a macro describes, and the same request as a routed endpoint.
struct Twins: Sendable, CustomTestStringConvertible {
    let line: String
    let endpoint: any Endpoint
    let routed: any Endpoint

    var testDescription: String { line }

    init(_ line: String, _ endpoint: any Endpoint, _ routed: any Endpoint) {
        self.line = line
        self.endpoint = endpoint
        self.routed = routed
    }
}

/// The same requests as routed endpoints.
enum Routed {
    struct GetUser: RoutedEndpoint {
        static let route: Route = .get("/users/:id")
        @Path var id: String
        @Query var includePosts: Bool
    }

    struct GetUsers: RoutedEndpoint {
        static let route: Route = .get("/users")
        @Query var page: Int
        @Query var limit: Int
    }

    struct CreateUser<Content: Encodable & Sendable>: RoutedEndpoint {
        static var route: Route { .post("/users") }
        let body: Content
    }

    struct UpdateUser: RoutedEndpoint {
        static let route: Route = .put("/users/:id")
        @Path var id: String
        let body: NetworkKit.User
    }

    struct DeleteUser: RoutedEndpoint {
        static let route: Route = .delete("/users/:id")
        @Path var id: String
    }

    struct PatchUser: RoutedEndpoint {
        static let route: Route = .patch("/users/:id")
        @Path var id: String
        let body: NetworkKit.UserPatch
    }

    struct CheckUser: RoutedEndpoint {
        static let route: Route = .head("/users/:id")
        @Path var id: String
    }

    struct OptionsUser: RoutedEndpoint {
        static let route: Route = .options("/users")
    }

    struct ConnectProxy: RoutedEndpoint {
        static let route: Route = .connect("/proxy")
        @Query var host: String
        @Query var port: Int
    }

    struct Debug: RoutedEndpoint {
        static let route: Route = .trace("/debug")
    }

    struct GetPost: RoutedEndpoint {
        static let route: Route = .get("/users/:id/posts/:postId")
        @Path var id: String
        @Path var postId: String
    }

    struct Search: RoutedEndpoint {
        static let route: Route = .get("/search")
        @Query var query: String
        @Query var page: Int
        @Query var limit: Int
    }

    struct NamedSearch: RoutedEndpoint {
        static let route: Route = .get("/search")
        @Query @Named("q") var query: String
    }

    struct UploadData: RoutedEndpoint {
        static let route: Route = .post("/upload")
        let body: Data
    }

    struct Upload: RoutedEndpoint {
        static let route: Route = .post("/upload")
        let body: MultipartForm
    }

    struct Custom: RoutedEndpoint {
        static let route: Route = .post("/custom")
        let body: NetworkKit.CustomBody
    }

    struct GetMe: RoutedEndpoint {
        static let route: Route = .get("/me")
        var headers: [HeaderField] { HeaderField.authorization(.bearer("your-token")) }
    }
}

// MARK: - Values of all types

enum Kind: String, Codable, URLTextConvertible { case all }

struct Filter: Encodable, Sendable {
    var size = 2
}

extension Routed {
    struct Segments: RoutedEndpoint {
        static let route: Route = .get("/:kind.json/x:y/::/{folders}/{from}-{upTo}:batch/:kind/a\\b\"c")
        @Path var kind: Kind
        @Path var folders: [String]
        @Path var from: UInt8
        @Path @Named("upTo") var end: Int
    }

    struct Items: RoutedEndpoint {
        static let route: Route = .get("/items")
        @Query var page: Int?
        @Query var price: Double
        @Query var since: Date
        @Query @Named("tag[]") var tags: [String]
        @Query var sizes: [Double]?
        @Query var kinds: [Kind]
        @Query var filter: Filter
        @Query var `default`: Bool
        @Query var id: UUID
        @Query @Named("a&b") var text: String
    }

    struct Fields: RoutedEndpoint {
        static let route: Route = .get("/fields")
        @Header var accept: [MediaType]
        @Header var contentMD5Sum: MediaType?
        @Header var ifNoneMatch: [EntityTag]?
        @Header var ifMatch: EntityTag
        @Header var ifModifiedSince: Date
        @Header var authorization: Credential?
        @Header var xURLOfHTTP2Server: URL
        @Header var x_trace: String?
        @Header var languages: [String]
        @Header @Named("X-House") var number: Int
        @Header var isOpen: Bool
        @Header var price: Double
        @Header var kind: Kind
        @Header var Upper: UUID?
        @Header var aB1C: [Int]
        var headers: [HeaderField] {
            get throws {
                try HeaderField(name: "X-Last", value: "1")
                HeaderField.custom(name: "x-house", value: "2")
            }
        }
    }

    struct Send<Content: Sendable>: RoutedEndpoint {
        static var route: Route { Route(.delete, "/items") }
        @Body var content: Content
        @Query var isForced: Bool
    }

    struct Find<Content: Sendable>: RoutedEndpoint {
        static var route: Route { Route(.query, "/items") }
        @Body var content: Content
    }

    struct Empty: RoutedEndpoint {
        static let route: Route = .patch("/items")
    }
}
