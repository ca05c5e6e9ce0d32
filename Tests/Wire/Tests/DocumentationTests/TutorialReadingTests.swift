import Testing

struct TutorialReadingTests {
    private static let resources = ["Package-1.swift": "m", "main-1.swift": "1", "main-2.swift": "2"]
    private static let first = #"@Code(name: "main.swift", file: main-1.swift)"#

    @Test func eachSectionHasTheFilesThatTheReaderHasSavedByThen() throws {
        let text = """
            @Section(title: "First") {
                @Code(name: "Package.swift", file: Package-1.swift)
                @Step { Mention `@Test` and @testable import (nothing). }
                @Code(name: "main.swift", file: "main-1.swift")
            }
            @Section(title: "Second") {
                @Code(
                    name: "main.swift",
                    file: main-2.swift, previousFile: main-1.swift
                )
            }
            """
        var files = [
            "Package.swift": Tutorial.File(name: "Package-1.swift", text: "m"),
            "main.swift": Tutorial.File(name: "main-1.swift", text: "1"),
        ]
        let first = Tutorial.Section(title: "First", files: files, changed: ["Package.swift", "main.swift"])
        files["main.swift"] = Tutorial.File(name: "main-2.swift", text: "2")
        let second = Tutorial.Section(title: "Second", files: files, changed: ["main.swift"])
        #expect(try Tutorial(text, document: "A.tutorial", resources: Self.resources).sections == [first, second])
    }

    @Test(arguments: [
        (#"@Code(name: "main.swift", file: main-3.swift)"#, "there is no file main-3.swift"),
        (#"@Code(name: "main.swift")"#, "@Code needs a name and a file"),
        (#"@Code(file: main-1.swift)"#, "@Code needs a name and a file"),
        (
            #"@Code(name: "A.swift", file: main-2.swift, previousFile: main-1.swift)"#,
            "the reader's A.swift is not there yet, not main-1.swift"
        ),
        (
            #"@Code(name: "main.swift", file: main-2.swift)"#,
            "the section changes main.swift twice, and only the end of a section is compiled"
        ),
    ])
    func aMistakeInATutorialIsAnErrorAtItsLine(_ code: String, _ reason: String) {
        let text = "@Section(title: \"First\") {\n\(Self.first)\n    \(code)\n}"
        #expect(throws: Tutorial.Mistake(document: "A.tutorial", line: 3, reason: reason)) {
            try Tutorial(text, document: "A.tutorial", resources: Self.resources)
        }
    }

    @Test func codeOutsideOfASectionIsAnError() {
        #expect(throws: Tutorial.Mistake(document: "A.tutorial", line: 1, reason: "@Code is in no section")) {
            try Tutorial(Self.first, document: "A.tutorial", resources: Self.resources)
        }
    }

    @Test func theArgumentsOfADirectiveMayContainPunctuationInQuotationMarks() {
        let text = #"@Image(source: a.svg, alt: "A request, (then) a: response.") @Chapter(name: "B") {"#
        #expect(
            Directive.all(in: text) == [
                Directive(
                    name: "Image",
                    arguments: ["source": "a.svg", "alt": "A request, (then) a: response."],
                    line: 1
                ),
                Directive(name: "Chapter", arguments: ["name": "B"], line: 1),
            ]
        )
    }
}
