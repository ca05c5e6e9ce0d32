import Testing

/// The code that the macros write.
struct ExpansionTests {
    @Test func theRequestIsMadeByTheStepsOfTheBuilderInTheOrderOfTheDeclarations() {
        let source = """
            @Get("/users/:id/posts", of: [Post].self)
            struct PostsOfUser {
                @Path var id: Int
                @Header var language = "el"
                @Query var page: Int?
                @Query("q") var text: String
                var headers: [String: String?] { [:] }
            }
            """
        #expect(
            Expansion(of: source).text == """
                struct PostsOfUser {
                    var id: Int
                    var language = "el"
                    var page: Int?
                    var text: String
                    var headers: [String: String?] { [:] }

                    public typealias Response = [Post]
                }

                extension PostsOfUser: DescribedEndpoint {
                    public nonisolated func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
                        try builder
                            .get(path: "/users/\\(self.id)/posts")
                            .add(query: "page", value: self.page)
                            .add(query: "q", value: self.text)
                            .headers {
                                try NetworkUtilities::HeaderField.fields(named: "Language", of: self.language)
                                self.headers
                            }
                            .build()
                    }
                }
                """
        )
    }

    @Test(
        arguments: [
            ("@Get(\"/a\") struct A {}", ".get(path: \"/a\")", nil),
            ("@Head(\"/a\") struct A {}", ".head(path: \"/a\")", nil),
            ("@Trace(\"/a\") struct A {}", ".trace(path: \"/a\")", nil),
            ("@Connect(\"/a\") struct A {}", ".method(.connect, path: \"/a\")", ".noBody()"),
            ("@Delete(\"/a\") struct A {}", ".delete(path: \"/a\")", nil),
            ("@Options(\"/a\") struct A {}", ".options(path: \"/a\")", nil),
            ("@Delete(\"/a\") struct A { let body: B }", ".method(.delete, path: \"/a\")", ".body(of: self.body)"),
            ("@Options(\"/a\") struct A { let body: B }", ".method(.options, path: \"/a\")", ".body(of: self.body)"),
            ("@Post(\"/a\") struct A {}", ".post(path: \"/a\")", ".noBody()"),
            ("@Put(\"/a\") struct A { var body: B { B() } }", ".put(path: \"/a\")", ".body(of: self.body)"),
            ("@Patch(\"/a\") struct A { @Body var b: B }", ".patch(path: \"/a\")", ".body(of: self.b)"),
            ("@Method(\"GET\", \"/a\") struct A {}", ".get(path: \"/a\")", nil),
            (
                "@Method(\"PROPFIND\", \"/a\") struct A {}",
                ".method(NetworkUtilities::HTTPMethod(\"PROPFIND\"), path: \"/a\")",
                ".noBody()"
            ),
        ] as [(String, String, String?)]
    )
    func eachMethodOpensItsOwnStage(source: String, first: String, second: String?) {
        let expansion = Expansion(of: source)
        let steps = expansion.text.split(separator: "\n").map { $0.trimming(" ") }.filter { $0.hasPrefix(".") }
        #expect(steps == [first] + [second].compactMap(\.self) + [".build()"])
        #expect(expansion.reports == [])
    }

    @Test func anArrayIsSeveralSegmentsAndOtherTextOfThePathStays() {
        let source = #"""
            @Get(#"/::{a}-{b}/:c.json/x:y/"\#("?")"#)
            struct A {}
            @Get(#"/::{a}-{b}/:c.json/x:y/"\d"#)
            struct B {
                @Path var a: [String]
                @Path("b") var list: Array<Int>
                @Path let c = ["x"]
            }
            """#
        let path = ##".get(path: "/:\(segments: self.a)-\(segments: self.list)/\(segments: self.c).json/x:y/\"\\d")"##
        #expect(Expansion(of: source).text.contains(path))
    }

    @Test func aStructThatConformsAlreadyGetsTheRequestOnly() {
        let text = Expansion(of: "@Get(\"/a\") struct A: Endpoint { typealias Response = B }").text
        #expect(text.contains("func request(from"))
        #expect(!text.contains("public typealias"))
    }
}

extension Substring {
    fileprivate func trimming(_ character: Character) -> String { String(drop { $0 == character }) }
}
