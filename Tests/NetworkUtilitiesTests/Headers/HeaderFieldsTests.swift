import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct HeaderFieldsTests {
    private func merged(_ change: (inout HeaderFields) -> Void) -> [String: String] {
        var fields = HeaderFields()
        change(&fields)
        return fields.merged(defaultContentType: .json)
    }

    private func field(_ name: String, _ value: String?) -> HeaderField { .custom(name: name, value: value) }

    @Test(.spec(24, 25)) func joinsUnderTheFirstSpelling() {
        let fields = merged { fields in
            for (name, value) in [("X-A", "1"), ("x-a", "2"), ("X-B", "b"), ("X-A", "3"), ("X-AB", "c")] {
                fields.add(field(name, value))
            }
        }
        #expect(fields == ["X-A": "1,2,3", "X-B": "b", "X-AB": "c", "Content-Type": "application/json"])
    }

    @Test(.spec(24, 25)) func addsToWhatWasSetAndReplacesWhatWasAdded() {
        #expect(
            merged {
                $0.set(field("A", "1")); $0.add(field("a", "2"))
            }["A"] == "1,2"
        )
        #expect(
            merged {
                $0.add(field("A", "1")); $0.add(field("a", "2")); $0.set(field("a", "3"))
            }["a"] == "3"
        )
        #expect(
            merged {
                $0.set(field("A", nil)); $0.add(field("a", "2")); $0.add(field("A", "3"))
            }["a"] == "2,3"
        )
    }

    @Test(.spec(29), arguments: ["Content-Type", "content-type", "CONTENT-TYPE"])
    func suppliesAContentTypeOnlyWhereNoneWasChosen(name: String) {
        #expect(merged { _ in } == ["Content-Type": "application/json"])
        #expect(merged { $0.set(field(name, "a/b")) } == [name: "a/b"])
        #expect(merged { $0.add(field(name, "a/b")) } == [name: "a/b"])
        #expect(merged { $0.set(field(name, nil)) } == [:])
        #expect(merged { $0.add(field(name, nil)) } == ["Content-Type": "application/json"])
    }

    @Test func takesManyFields() {
        let fields = merged { fields in
            for number in 0..<500 { fields.add(field("X-\(number % 250)", "\(number)")) }
        }
        #expect(fields.count == 251)
        #expect((0..<250).allSatisfy { fields["X-\($0)"] == "\($0),\($0 + 250)" })
    }
}
