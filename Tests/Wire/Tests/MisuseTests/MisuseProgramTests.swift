#if os(macOS) || os(Linux)
import Foundation
import NetworkTestSupport
import Testing

struct MisuseProgramTests {
    private let program = MisuseProgram(
        file: URL(fileURLWithPath: "/Misuse/Wrong.swift"),
        text: "// expect: choose a method\n// expect: body step\nimport Foundation\n// expect: too late\n"
    )

    @Test func aMisuseProgramReadsTheExpectationsAtItsTop() {
        #expect(program.expectations == ["choose a method", "body step"])
    }

    @Test func expectedErrorsOfAMisuseProgramAreNoProblem() throws {
        #expect(program.problems(in: try said("choose a method first", "POST needs a body step")).isEmpty)
    }

    @Test func aMisuseProgramThatCompilesIsReported() throws {
        #expect(program.problems(in: []) == ["It compiles."])
        #expect(program.problems(in: try said("choose a method", in: "/Misuse/Other.swift")) == ["It compiles."])
        #expect(program.problems(in: try said("choose a method", as: "warning")) == ["It compiles."])
    }

    @Test func missingAndSurplusErrorsOfAMisuseProgramAreReported() throws {
        let problems = program.problems(in: try said("choose a method", "cannot find 'x' in scope"))
        #expect(
            problems == [
                "No error says 'body step'.",
                "Nothing expects /Misuse/Wrong.swift:3: error: cannot find 'x' in scope",
            ]
        )
    }

    @Test func errorsOfAProgramThatMustCompileAreReported() throws {
        let control = MisuseProgram(file: program.file, text: "// expect: no error\n")
        #expect(control.problems(in: []).isEmpty)
        #expect(
            control.problems(in: try said("no such module 'NetworkUtilities'"))
                == ["It must compile: /Misuse/Wrong.swift:3: error: no such module 'NetworkUtilities'"]
        )
    }

    @Test func aMisuseProgramWithoutExpectationsIsReported() throws {
        let program = MisuseProgram(file: program.file, text: "import Foundation\n")
        #expect(program.problems(in: try said("x")) == ["It does not begin with a line '// expect: …'."])
    }

    private func said(
        _ messages: String...,
        in file: String = "/Misuse/Wrong.swift",
        as severity: String = "error"
    ) throws -> [SwiftCompiler.Diagnostic] {
        try messages.map { try #require(SwiftCompiler.Diagnostic(line: "\(file):3:9: \(severity): \($0)")) }
    }
}
#endif
