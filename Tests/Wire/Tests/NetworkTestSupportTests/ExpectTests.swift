import Foundation
import NetworkTestSupport
import Testing

struct ExpectTests {
    private func issues(_ body: () -> Void) -> [Issue] {
        let issues = Recorder<Issue>()
        withKnownIssue {
            body()
        } matching: { issue in
            issues.record(issue)
            return true
        }
        return issues.values
    }

    @Test func expectAcceptsEqualValuesAndFailsWithBothOfOthersAtThePlaceOfItsCall() {
        expect(1, 1)
        expect(nil as String?, nil)
        expect([Data([1])], [Data([1])])
        let line = #line
        let found = issues {
            expect(1, 2)
            expect("a", nil, "the second row")
            expect(Data("a\n".utf8), Data())
        }
        expect(found.map { $0.sourceLocation?.line }, [line + 2, line + 3, line + 4])
        expect(
            found.flatMap(\.comments).map(\.rawValue),
            [
                "Expected 2, but got 1", "Expected nil, but got Optional(\"a\") (the second row)",
                "Expected 0 bytes \"\", but got 2 bytes \"a\\n\"",
            ]
        )
    }
}
