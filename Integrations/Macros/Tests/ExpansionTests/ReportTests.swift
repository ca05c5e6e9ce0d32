import Testing

/// What does not fit, and what the macros report at its place.
struct ReportTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let source: String
        let reports: [String]
        /// A part of the source after each fix-it.
        var fixed: [String: String] = [:]

        var testDescription: String { source }
    }

    private static let unmarked =
        "would not be sent: mark it @Query, @Path, @Header or @Body, read it in "
        + "'headers' or 'body', or make it static"
    private static let noBody = "request has no body: use @Post, @Put or @Patch, or mark the property @Query"
    private static let literal = "a path is a literal, with ':name' for the value of a @Path property"

    private static let method = "write a literal token, such as \"PROPFIND\""
    private static let fieldName = "write a token, as in @Header(\"X-Request-ID\")"
    private static let lazy = "a request cannot set a lazy property: remove 'lazy', or declare a computed property"

    static let paths = [
        Row(
            source: "@Get(\"/users/:id\") struct A {}",
            reports: ["\"/users/:id\": ':id' in the path has no property: add '@Path var id: String'"],
            fixed: ["write '@Path var id: String'": "struct A {\n    @Path var id: String}"]
        ),
        Row(
            source: "@Get(\"/{from}-{upTo}\") struct A {\n  @Path var from: Int\n}",
            reports: ["\"/{from}-{upTo}\": ':upTo' in the path has no property: add '@Path var upTo: String'"],
            fixed: ["write '@Path var upTo: String'": "{\n    @Path var upTo: String\n  @Path var from: Int\n}"]
        ),
        Row(
            source: "@Get(\"/:shop/:userID\") struct A { @Path var shop: Int; @Path var userId: Int }",
            reports: ["userId: the path has no ':userId': did you mean ':userID'?"],
            fixed: ["write '@Path(\"userID\")'": "; @Path(\"userID\") var userId: Int }"]
        ),
        Row(
            source: "@Get(\"/users\") struct A { @Path var id: Int }",
            reports: ["id: the path has no ':id': write it there, or mark the property @Query"],
            fixed: ["write '@Query'": "{ @Query var id: Int }"]
        ),
        Row(
            source: "@Get(path) struct A {}",
            reports: ["path: \(literal)"]
        ),
        Row(
            source: #"@Get("/users/\(id)/x") struct A { @Path var id: Int }"#,
            reports: [#""/users/\(id)/x": "# + literal],
            fixed: ["write '\"/users/{id}/x\"'": "@Get(\"/users/{id}/x\") struct"]
        ),
        Row(
            source: "@Get(\"/a?b=1\") struct A {}",
            reports: ["\"/a?b=1\": a path has no query: mark a property of the query with @Query in place of '?'"]
        ),
        Row(
            source: "@Get(\"/a#b\") struct A {}",
            reports: [
                "\"/a#b\": a path has no fragment, which is never sent: write '%23' for the character '#'"
            ]
        ),
        Row(source: "@Get(\"\") struct A {}", reports: ["\"\": the path is empty: write \"/\""]),
        Row(source: "@Get(\"/{a\") struct A {}", reports: ["\"/{a\": the path has a '{' without its '}'"]),
        Row(source: "@Get(\"/a}\") struct A {}", reports: ["\"/a}\": the path has a '}' without its '{'"]),
        Row(
            source: "@Get(\"/:1\") struct A {}",
            reports: ["\"/:1\": ':1' in the path names no property: write '::' for a colon at this place"]
        ),
        Row(
            source: "@Get(\"/u/{user-id}\") struct A { @Path(\"user-id\") var id: Int }",
            reports: [
                "\"/u/{user-id}\": '{user-id}' in the path names no property: use the name of a property, "
                    + "such as '{userID}'"
            ]
        ),
        Row(
            source: "@Get(\"HTTPS://h/x\") struct A {}",
            reports: [
                "\"HTTPS://h/x\": a path has no scheme and no host, which are those of the client's baseURL: write "
                    + "what follows them"
            ]
        ),
        Row(
            source: "@Get(\"//h/x\") struct A {}",
            reports: [
                "\"//h/x\": a path has no scheme and no host, which are those of the client's baseURL: write "
                    + "what follows them"
            ]
        ),
        Row(
            source: "@Method(\"GE T\", \"/u\") struct A {}",
            reports: ["\"GE T\": \"GE T\" isn't a valid method: \(method)"]
        ),
        Row(
            source: "@Method(search, \"/u\") struct A {}",
            reports: ["search: search isn't a valid method: \(method)"]
        ),
    ]

    static let types = [
        Row(
            source: "@Get(\"/\") final class A {}",
            reports: ["class: @Get describes a request by the properties of a struct: write 'struct'"],
            fixed: ["write 'struct'": "final struct A {}"]
        ),
        Row(
            source: "@Put(\"/\") actor A {}",
            reports: ["actor: @Put describes a request by the properties of a struct: write 'struct'"],
            fixed: ["write 'struct'": "struct A {}"]
        ),
        Row(
            source: "@Post(\"/\") enum A { case a }",
            reports: ["enum: @Post describes a request by the properties of a struct: write 'struct'"]
        ),
        Row(
            source: "@Get(\"/\", of: type) struct A {}",
            reports: ["of: type: write the type of the response here, as in 'of: [Item].self'"]
        ),
        Row(
            source: "@Get(\"/\", of: B.self) struct A { struct Response: Decodable {} }",
            reports: ["of: B.self: the type 'Response' in the struct is the response: remove 'of:'"]
        ),
        Row(
            source: "@Get(\"/\", of: B.self) @Post(\"/\", of: B.self) struct A {}",
            reports: [
                "@Post(\"/\", of: B.self): a struct is one request: remove @Post, or declare another struct for it"
            ]
        ),
        Row(
            source: "struct A: RoutedEndpoint { @Query var page: Int }",
            reports: [
                "@Query: @Query marks a property of a struct with @Get, @Post or another method; write a "
                    + "RoutedEndpoint in a file that does not import NetworkClientMacros"
            ]
        ),
    ]

    static let properties = [
        Row(
            source: "@Get(\"/\") struct A {\n  /// The page.\n  private var page: Int\n  static let a = 1\n}",
            reports: ["page: 'page' \(unmarked)"],
            fixed: [
                "write '@Query'": "\n  /// The page.\n  @Query private var page: Int\n",
                "write 'static'": "\n  /// The page.\n  private static var page: Int\n",
            ]
        ),
        Row(
            source: "@Get(\"/:id\") struct A { let id: Int { didSet {} } }",
            reports: ["id: 'id' \(unmarked)"],
            fixed: ["write '@Path'": "{ @Path let id: Int {", "write 'static'": "{ static let id: Int {"]
        ),
        Row(
            source: "@Get(\"/\") struct A { @Others.Query var a: Int }",
            reports: ["a: 'a' \(unmarked)"],
            fixed: [
                "write '@Query'": "{ @Query @Others.Query var a: Int }",
                "write 'static'": "{ @Others.Query static var a: Int }",
            ]
        ),
        Row(
            source: "@Get(\"/:id\") struct A { @Path var id: Int; @Path(\"id\") var b: Int }",
            reports: ["b: 'b' has the name 'id' of 'id': write another one, as in @Path(\"name\")"]
        ),
        Row(
            source: "@Get(\"/\") struct A { @Query(\"q\") var a: Int; @Query(\"q\") var b: Int; @Header var q: Int }",
            reports: ["b: 'b' has the name 'q' of 'a': write another one, as in @Query(\"name\")"]
        ),
        Row(
            source: "@Get(\"/\") struct A { @Header var aB: Int; @Header(\"a-b\") var c: Int }",
            reports: ["c: 'c' has the name 'a-b' of 'aB': write another one, as in @Header(\"name\")"]
        ),
        Row(
            source: "@Get(\"/\") struct A { @Query(name) var c: Int }",
            reports: ["name: a name is a literal: write it here"]
        ),
        Row(
            source:
                "@Put(\"/\") struct A { @Header(\"X Y\") var a: Int; @Header var größe: Int; @Header(\"\") var b = 1 }",
            reports: [
                "\"X Y\": 'X Y' isn't a valid field name: \(fieldName)",
                "größe: 'Größe' isn't a valid field name: \(fieldName)",
                "\"\": '' isn't a valid field name: \(fieldName)",
            ]
        ),
        Row(
            source: "@Get(\"/:a\") struct A { @Path @Query var a: Int }",
            reports: ["@Query: 'a' is marked @Path: remove @Query"]
        ),
        Row(
            source: "@Get(\"/:a\") struct A { @Path lazy var a = 1; lazy var body = 2 }",
            reports: ["lazy: \(lazy)", "lazy: \(lazy)"]
        ),
        Row(
            source: "@Get(\"/\") struct A { @Query static var a = 1 }",
            reports: ["static: a static property is no part of a request: remove 'static' or '@Query'"]
        ),
        Row(
            source: "@Get(\"/\") struct A { @Query var (a, b) = (1, 2); var (c, d) = (1, 2) }",
            reports: ["(a, b)", "(c, d)"].map {
                "\($0): a tuple has no name in a request: declare a property for each value"
            }
        ),
        // Only what a call runs makes a property a part of it.
        Row(
            source: """
                @Get("/:id") struct A { let id: Int; let page: Int; let shown: Int
                    func value(from page: Page) -> Int { page.shown }
                    func value() -> Int { page }
                    var headers: [String: String] { ["page": "\\(id)"] }
                    func show() -> Int { shown }
                }
                """,
            reports: ["id: 'id' \(unmarked)", "page: 'page' \(unmarked)", "shown: 'shown' \(unmarked)"],
            fixed: [
                "write '@Query'": "@Query let shown: Int", "write 'static'": "static let shown: Int",
                "write '@Path'": "{ @Path let id",
            ]
        ),
        Row(
            source: "@Post(\"/\") struct A { let body: Int; @Body var other: Int }",
            reports: ["other: 'other' is a second body: the body is 'body'"]
        ),
        Row(
            source: "@Post(\"/\") struct A {\n  #if DEBUG\n  @Query var a: Int\n  #endif\n}",
            reports: ["#if DEBUG: #if in the struct of a request is not read: write it in an extension"]
        ),
    ]

    static let bodies = ["Get", "Head", "Trace", "Connect"].map { name in
        Row(
            source: "@\(name)(\"/\") struct A { let body: Int }",
            reports: ["body: a \(name.uppercased()) \(noBody)"]
        )
    }

    /// Each of the computed members that a call runs, and a member on the way to it.
    @Test(
        .spec(277),
        arguments: [
            "var headers: [String: String] { [\"A\": \"\\(token)\"] }", "var body: B { get throws { try B(`token`) } }",
            "var options: CallOptions { CallOptions(errorMapper: [404: .gone(self.token)]) }",
            "@Header var authorization: String { token }", "func value(from response: Int) -> Int { token }",
            "var headers: [String: String] { all() }; func all() -> [String: String] { [token: \"\"] }",
        ]
    )
    func aPropertyThatACallReadsNeedsNoMark(_ reader: String) {
        #expect(Expansion(of: "@Post(\"/\") struct A { let token: String; \(reader) }").reports == [])
    }

    @Test(.spec(277), arguments: paths + types + properties + bodies)
    func whatDoesNotFitIsReportedAtItsPlaceWithWhatToWrite(_ row: Row) {
        let expansion = Expansion(of: row.source)
        #expect(expansion.reports == row.reports)
        #expect(expansion.fixed.keys.sorted() == row.fixed.keys.sorted())
        for (fix, part) in row.fixed {
            #expect(expansion.fixed[fix]?.contains(part) == true, "\(fix): \(expansion.fixed[fix] ?? "")")
        }
    }
}
