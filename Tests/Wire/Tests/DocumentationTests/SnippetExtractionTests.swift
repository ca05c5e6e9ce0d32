import Testing

struct SnippetExtractionTests {
    @Test func theSwiftFencesOfMarkdownAreSnippets() {
        let text = """
            # Title

            ```swift
            let a = 1

            let b = 2
            ```
            ```bash
            ```swift
            ```
            1. A list:
               ```swift
               call {
                   c
               }
               ```
            """
        #expect(
            Snippet.inMarkdown(text, document: "README.md") == [
                Snippet(document: "README.md", line: 4, code: ["let a = 1", "", "let b = 2"]),
                Snippet(document: "README.md", line: 13, code: ["call {", "    c", "}"]),
            ]
        )
    }

    @Test func theCodeOfTheColumnHereIsASnippet() {
        let text = """
            | There | Here | Better |
            |---|---|---|
            | `old()` | `let a = 1` | `no` code |
            | `old()` | `a.b` and `c` | |
            | a macro | the ``Symbol`` | |

            | Name | Value |
            |---|---|
            | `a` | `b` |
            """
        #expect(
            Snippet.inMarkdown(text, document: "A.md") == [
                Snippet(document: "A.md", line: 3, code: ["let a = 1"]),
                Snippet(document: "A.md", line: 4, code: ["a.b; c"]),
            ]
        )
    }

    @Test func theSwiftFencesOfDocCommentsAreSnippets() {
        let source = """
            /// Sends.
            ///
            /// ```swift
            /// let a = 1
            ///
            /// a.send {
            ///     b
            /// }
            /// ```
            func send() {
                // ```swift
                let text = "```swift"
                /// ```
                /// not checked
                /// ```
                /// - Parameter x: y
                ///   ```swift
                ///   let c = 3
                ///   ```
            }
            """
        #expect(
            Snippet.inComments(of: source, document: "A.swift") == [
                Snippet(document: "A.swift", line: 4, code: ["let a = 1", "", "a.send {", "    b", "}"]),
                Snippet(document: "A.swift", line: 18, code: ["let c = 3"]),
            ]
        )
    }

    @Test func aFenceThatIsNotClosedEndsWithItsText() {
        #expect(Snippet.inMarkdown("```swift\nlet a = 1", document: "A.md").map(\.code) == [["let a = 1"]])
        let source = "/// ```swift\n/// let a = 1\nlet b = 2\n/// ```\n"
        #expect(Snippet.inComments(of: source, document: "A.swift").map(\.code) == [["let a = 1"]])
    }

    @Test func aLongerFenceHoldsShorterOnes() {
        let text = "````markdown\n```swift\nlet a = 1\n```\n````\n```swift\nlet b = 2\n```"
        #expect(Snippet.inMarkdown(text, document: "A.md").map(\.code) == [["let b = 2"]])
    }

    @Test(arguments: [
        (["a.b()  // does not compile"], true),
        (["// This does not compile:", "a.b()"], true),
        (["print(\"does not compile\")"], false),
    ])
    func knowsWhatShowsAMistake(_ code: [String], _ expected: Bool) {
        #expect(Snippet(document: "A.md", line: 1, code: code).showsAMistake == expected)
    }

    @Test func knowsWhatIsForAManifest() {
        let code = [".package(url: \"https://example.com/a\", from: \"1.0.0\")"]
        #expect(Snippet(document: "A.md", line: 1, code: code).isForAManifest)
    }
}
